// bytesOf decodes base64: some browsers do it themselves.
globalThis.bytesOf = (base64) => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
};

(async () => {
  const { body } = document, failed = () => {
    const box = document.getElementById('error');
    box.hidden = false;
    box.textContent = 'This browser is too old, or the page is damaged: its viewer can\'t be unpacked.';
    body.dataset.state = 'failed';
  };
  try {
    const script = document.createElement('script'), bytes = globalThis.bytesOf(document.getElementById('viewer').textContent);
    script.type = 'module';
    script.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
    script.onerror = failed;
    body.append(script);
  } catch {
    failed();
  }
})();
