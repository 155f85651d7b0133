// The page of the converter: takes files, has a worker convert them, shows and saves what comes of it. Nothing is sent anywhere: the
// page's content security policy allows no connection.

const $ = (id) => document.getElementById(id);
// Of each stage: what people read, and how much of the work is done when it begins. Images and pages of light are counted.
const STAGES = {
  read: ['reading the map', 0.02], decode: ['reading the map', 0.05], stages: ['textures and light', 0.15], assemble: ['putting it together', 0.8],
  write: ['writing', 0.85],
};
const ITEMS = { images: 0.5, 'lightmap pages': 0.15 }; // their part of the work
const GAME_FILES = /\.(pk3|pak|vpk|gma|wad|zip)$/i;
const GAME_FOLDERS = new Set(['textures', 'materials', 'models', 'sprites', 'gfx', 'pics', 'env', 'maps', 'scripts', 'wads']);
const NAMES = { blender: 'Blender', unity: 'Unity', godot: 'Godot', web: 'three.js or Babylon.js', viewer: 'any other viewer' };

const dropped = []; // [path below /in, File]
let tops = 0; // how many things were dropped: each has a folder of its own, so that equal names don't meet
let worker = null, shown = null, urls = [];

// ---- the program ----

// compiled is the converter, unpacked once. It lies in the page as text, because a page from a disk can't fetch anything.
let compiled = null;
function program() {
  compiled ??= (async () => {
    const bytes = Uint8Array.from(atob($('program').textContent), (c) => c.charCodeAt(0));
    $('program').textContent = '';
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  })();
  return compiled;
}

const script = () => URL.createObjectURL(new Blob([$('worker').textContent], { type: 'text/javascript' }));

// ask runs the converter once. It resolves with {parts, report, maps}, and fails with a message for people.
async function ask(args, onProgress = () => {}) {
  const module = await program();
  const url = script();
  worker = new Worker(url);
  try {
    return await new Promise((resolve, reject) => {
      const result = {};
      worker.onmessage = ({ data }) => {
        if (data.stage || data.items) onProgress(data);
        if (data.report) result.report = data.report;
        if (data.maps) result.maps = data.maps;
        if (data.failed) reject(Object.assign(new Error(data.failed), result));
        if (data.parts) resolve({ ...result, parts: data.parts });
      };
      worker.onerror = (event) => reject(new Error(`the converter can't start: ${event.message ?? 'this browser refuses a worker'}`));
      worker.cancel = () => reject(new Error('cancelled'));
      worker.postMessage({ module, args, files: dropped });
    });
  } finally {
    worker?.terminate();
    worker = null;
    URL.revokeObjectURL(url);
  }
}

// ---- what was dropped ----

// entries walks a dropped folder.
async function* entries(entry, path) {
  if (entry.isFile) {
    yield [path + entry.name, await new Promise((resolve, reject) => { entry.file(resolve, reject); })];
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
    if (!some.length) return;
    for (const e of some) yield* entries(e, `${path}${entry.name}/`);
  }
}

async function add(pairs) {
  const top = `/in/${++tops}/`;
  for await (const [path, file] of pairs) dropped.push([top + path, file]);
  await list();
}

// games are the folders and archives for --game: archives by themselves, and the folders that hold archives or a game's folders.
function games() {
  const folders = new Set(), archives = [];
  for (const [path] of dropped) {
    const parts = path.split('/'); // "", "in", "1", ...
    for (let i = 4; i < parts.length; i++) {
      const isFile = i === parts.length - 1;
      if (isFile ? GAME_FILES.test(parts[i]) || parts[i].toLowerCase() === 'gameinfo.txt' : GAME_FOLDERS.has(parts[i].toLowerCase())) {
        if (!parts.slice(3, i).some((p) => GAME_FOLDERS.has(p.toLowerCase()))) folders.add(parts.slice(0, i).join('/'));
      }
    }
    if (parts.length === 4 && GAME_FILES.test(path)) archives.push(path);
  }
  return [...archives, ...folders];
}

// list shows the maps to choose from: dropped ones, and those in dropped archives.
async function list() {
  const maps = dropped.map(([path]) => path).filter((path) => /\.bsp$/i.test(path) && !/(^|\/)\._/.test(path));
  const archives = dropped.map(([path]) => path).filter((path) => /\.(pk3|pak|vpk|zip)$/i.test(path) && !/_\d{3}\.vpk$/i.test(path));
  if (archives.length) {
    tell('Looking into the archives…');
    try {
      const { maps: found } = await ask(['maps', ...archives]);
      maps.push(...(found.maps ?? []));
      tell((found.problems ?? []).join('\n'), 'warning');
    } catch (error) {
      tell(error.message, 'error');
    }
  }
  const chosen = $('map').value;
  $('map').replaceChildren(...maps.map((path) => new Option(path.replace(/^\/in\/\d+\//, ''), path)));
  $('map').value = maps.includes(chosen) ? chosen : maps[0] ?? '';
  $('files').hidden = !dropped.length;
  const size = dropped.reduce((sum, [, file]) => sum + file.size, 0);
  $('count').textContent = `${dropped.length} ${dropped.length === 1 ? 'file' : 'files'}, ${megabytes(size)}`;
  $('convert').disabled = !maps.length;
  if (!maps.length) tell('There is no map (.bsp) among these yet: drop one, too.', 'warning');
  else if (!archives.length) tell('');
}

// ---- converting ----

function busy(is) {
  for (const id of ['convert', 'save-page', 'save-glb', 'clear', 'choose-files', 'choose-folder']) $(id).disabled = is;
  $('working').hidden = !is;
}

// progress returns what shows how far a conversion is: its stage, and of its images and pages of light how many are done.
function progress() {
  const parts = {};
  let begun = 0;
  return ({ stage, items }) => {
    if (stage) {
      const [text, share] = STAGES[stage] ?? [stage, begun];
      $('stage').textContent = text;
      begun = share;
    } else {
      $('stage').textContent = `${items.name}: ${items.done} of ${items.of}`;
      parts[items.name] = (ITEMS[items.name] ?? 0) * (items.done / items.of);
    }
    const counted = Object.values(parts).reduce((sum, part) => sum + part, items ? STAGES.stages[1] : 0);
    $('progress').value = Math.max($('progress').value, begun, counted);
  };
}

async function convert(format, preset) {
  const began = performance.now(), map = $('map').selectedOptions[0].text;
  busy(true);
  $('stage').textContent = 'starting';
  $('progress').value = 0;
  try {
    const result = await ask([format, preset, $('map').value, ...games()], progress());
    const blob = new Blob(result.parts, { type: format === 'html' ? 'text/html' : 'model/gltf-binary' });
    tell(`${summary(result.report)} ${megabytes(blob.size)}, ${((performance.now() - began) / 1000).toFixed(1)} s.`, result.report.materials.missing?.length ? 'warning' : '');
    return blob;
  } catch (error) {
    tell(error.message === 'cancelled' ? 'cancelled' : `${map}: ${error.message}`, 'error');
    return null;
  } finally {
    busy(false);
  }
}

async function show() {
  const blob = await convert('html', '');
  if (!blob) return;
  shown = { blob, name: $('map').value.replace(/^.*[/:]/, '').replace(/\.bsp$/i, '') };
  urls.splice(0).forEach((url) => { URL.revokeObjectURL(url); });
  urls.push(URL.createObjectURL(blob));
  $('view').src = urls[0];
  $('result').hidden = false;
  $('view').focus();
}

// summary says in words what the report says.
function summary(report) {
  const missing = (report.materials.missing ?? []).map((m) => m.material);
  const some = missing.slice(0, 5).join(', ') + (missing.length > 5 ? ` and ${missing.length - 5} more` : '');
  return `${report.input.format.game ?? report.input.format.name ?? 'Map'}: ${report.output.triangles.toLocaleString('en')} triangles, ${report.materials.found} of ${report.materials.total} materials found`
    + `${missing.length ? `; missing: ${some}. Drop the game's folder or archives, and show the map again.` : '.'}`;
}

function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => { URL.revokeObjectURL(link.href); }, 60000);
}

function tell(text, kind = '') {
  $('message').textContent = text;
  $('message').className = kind;
}

const megabytes = (n) => (n < 1e6 ? `${Math.ceil(n / 1e3)} kB` : `${(n / 1e6).toFixed(1)} MB`);

// ---- the buttons ----

addEventListener('dragover', (event) => { event.preventDefault(); });
addEventListener('drop', async (event) => {
  event.preventDefault();
  if (worker) return;
  const items = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = [...event.dataTransfer.files].map((file) => [file.name, file]);
  try {
    if (!items.some((entry) => entry.isDirectory)) await add(files);
    else for (const entry of items) await add(entries(entry, ''));
  } catch (error) {
    tell(`What was dropped can't be read: ${error.message}`, 'error');
  }
});
$('choose-files').onclick = () => { $('input-files').click(); };
$('choose-folder').onclick = () => { $('input-folder').click(); };
$('input-files').onchange = ({ target }) => { add([...target.files].map((file) => [file.name, file])); };
$('input-folder').onchange = ({ target }) => { add([...target.files].map((file) => [file.webkitRelativePath, file])); };
$('convert').onclick = show;
$('cancel').onclick = () => { worker?.cancel(); };
$('clear').onclick = () => {
  dropped.length = 0;
  $('files').hidden = true;
  $('map').replaceChildren();
  tell('');
};
$('save-page').onclick = () => { save(shown.blob, `${shown.name}.html`); };
$('save-glb').onclick = async () => {
  const blob = await convert('glb', $('preset').value);
  if (blob) save(blob, `${shown.name}.glb`);
};
$('preset').replaceChildren(...Object.entries(NAMES).map(([value, name]) => new Option(name, value)));
if (!globalThis.WebAssembly || !globalThis.DecompressionStream) tell('This browser is too old for the converter: it needs WebAssembly and DecompressionStream.', 'error');
