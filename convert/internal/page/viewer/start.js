(async () => {
  const { body } = document, failed = () => {
    const box = document.getElementById('error');
    box.hidden = false;
    box.textContent = 'This browser is too old, or the page is damaged: its viewer can\'t be unpacked.';
    body.dataset.state = 'failed';
  };
  try {
    const bytes = Uint8Array.from(atob(document.getElementById('viewer').textContent), (c) => c.charCodeAt(0));
    const script = document.createElement('script');
    script.type = 'module';
    script.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
    script.onerror = failed;
    body.append(script);
  } catch {
    failed();
  }
})();
