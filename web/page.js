// The page of the converter: takes files, lets a worker convert them, shows and saves the result. Nothing is sent anywhere: the page's
// content security policy allows no connection.

const $ = (id) => document.getElementById(id);
// By stage: its name for users, and how much of the work is done when it begins. Images and lightmap pages are counted within it.
const STAGES = {
  read: ['reading the map', 0.02], decode: ['reading the map', 0.05], stages: ['textures and light', 0.15], assemble: ['putting it together', 0.8],
  write: ['writing', 0.85],
};
const ITEMS = { images: 0.5, 'lightmap pages': 0.15 }; // their fraction of the work
const BUTTONS = ['map', 'preset', 'convert', 'save-all', 'save-page', 'save-glb', 'clear', 'choose-files', 'choose-folder'];
const GAME_FILES = /\.(pk3|dpk|pkz|kpf|pak|vpk|gma|wad|zip)$/i;
const GAME_FOLDERS = new Set(['textures', 'materials', 'models', 'sprites', 'gfx', 'pics', 'env', 'maps', 'scripts', 'wads']);
const NAMES = { blender: 'Blender', unity: 'Unity', godot: 'Godot', unreal: 'Unreal Engine', web: 'three.js or Babylon.js', viewer: 'any other viewer' };

const dropped = []; // [path below /in, File]
let tops = 0; // number of things dropped so far: each gets a folder of its own, so that equal names don't collide
let working = false; // only one task runs at a time
let cancel = () => {}; // ends what the converter is doing
let shown = null; // the map in the frame: {args, name, blob, url}
const CANCELLED = 'cancelled';

// ---- the program ----

// program returns the converter, decompressed once. The page holds it as text, because a page on disk can't fetch anything.
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

// ask runs the converter once. It resolves to {parts, report, maps}, or rejects with a message for users. cancel ends it.
async function ask(args, onProgress = () => {}) {
  const module = await program();
  const url = script(), own = new Worker(url);
  try {
    return await new Promise((resolve, reject) => {
      const result = {};
      own.onmessage = ({ data }) => {
        if (data.stage || data.items) onProgress(data);
        if (data.report) result.report = data.report;
        if (data.maps) result.maps = data.maps;
        if (data.failed) reject(Object.assign(new Error(data.failed), result));
        if (data.parts) resolve({ ...result, parts: data.parts });
      };
      own.onerror = (event) => reject(new Error(`the converter can't start: ${event.message ?? 'this browser refuses a worker'}`));
      cancel = () => reject(new Error(CANCELLED));
      own.postMessage({ module, args, files: dropped });
    });
  } finally {
    own.terminate();
    cancel = () => {};
    URL.revokeObjectURL(url);
  }
}

// ---- what was dropped ----

// entries yields the files of a dropped entry as [path, File].
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

// add takes files, as [path, File] pairs, and lists the maps among them. It clears the result on the page, which doesn't show the new
// files.
async function add(pairs) {
  if (working) {
    tell('A map is being converted: cancel it, or drop this again afterwards.', 'warning');
    return;
  }
  await alone('Looking for maps…', async () => {
    const top = `/in/${++tops}/`;
    for await (const [path, file] of pairs) dropped.push([top + path, file]);
    close();
    await list(top);
  });
}

// alone runs a job while the page accepts nothing else.
async function alone(doing, job) {
  working = true;
  for (const id of BUTTONS) $(id).disabled = true;
  $('stage').textContent = doing;
  $('progress').value = 0;
  $('working').hidden = false;
  try {
    return await job();
  } finally {
    working = false;
    for (const id of BUTTONS) $(id).disabled = false;
    $('convert').disabled = $('save-all').disabled = !$('map').options.length;
    $('working').hidden = true;
  }
}

// games returns the folders and archives for --game: top-level archives, and folders that hold archives or a game's folders.
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

// list shows the maps to choose from: dropped ones, and those in dropped archives. It selects the first map of the last drop.
async function list(top) {
  let maps = [], problems = [];
  try {
    const { maps: found } = await ask(['maps', ...dropped.map(([path]) => path)]);
    maps = found.maps ?? [];
    problems = found.problems ?? [];
  } catch (error) {
    problems = [error.message];
  }
  const before = $('map').value;
  $('map').replaceChildren(...maps.map((path) => new Option(visible(labelOf(path)), path)));
  $('map').value = maps.find((path) => path.startsWith(top)) ?? (maps.includes(before) ? before : maps[0] ?? '');
  $('files').hidden = !dropped.length;
  $('save-all').hidden = maps.length < 2;
  const size = dropped.reduce((sum, [, file]) => sum + file.size, 0);
  $('count').textContent = `${dropped.length} ${dropped.length === 1 ? 'file' : 'files'}, ${megabytes(size)}`;
  if (!maps.length) problems.push('There is no map (.bsp) among these yet: drop one, too.');
  tell(problems.join('\n'), 'warning');
}

// ---- converting ----

// progress returns a function that shows how far a conversion is: its stage, and how many of its images and lightmap pages are done.
function progress() {
  const parts = {};
  let begun = 0;
  return ({ stage, items }) => {
    if (stage) {
      const [text, share] = STAGES[stage] ?? [stage, begun];
      $('stage').textContent = text;
      begun = share;
    } else {
      $('stage').textContent = `${visible(items.name)}: ${items.done} of ${items.of}`;
      parts[items.name] = (ITEMS[items.name] ?? 0) * (items.done / items.of);
    }
    const counted = Object.values(parts).reduce((sum, part) => sum + part, items ? STAGES.stages[1] : 0);
    $('progress').value = Math.max($('progress').value, begun, counted);
  };
}

// convert returns {blob, report, seconds}, or the error. args are the map and the games.
async function convert(format, preset, args) {
  const began = performance.now();
  try {
    const { parts, report } = await ask([format, preset, ...args], progress());
    const blob = new Blob(parts, { type: format === 'html' ? 'text/html' : 'model/gltf-binary' });
    return { blob, report, seconds: (performance.now() - began) / 1000 };
  } catch (error) {
    return { error };
  }
}

// made shows the outcome of a conversion.
function made(label, { blob, report, seconds, error }) {
  if (error) tell(error.message === CANCELLED ? CANCELLED : `${named(label)}: ${error.message}`, 'error');
  else tell(`${summary(report)} ${megabytes(blob.size)}, ${seconds.toFixed(1)} s.${leftOut(report)}`, report.materials.missing?.length ? 'warning' : '');
}

// leftOut says which files the program would write besides the main one.
function leftOut(report) {
  const n = report.issueCounts?.['sidecar-left-out'] ?? 0;
  return n ? ` The program also writes ${n === 1 ? 'a file' : `${n} files`} beside it (light in full range, light probes), which a page can't.` : '';
}

// labelOf returns a map's name as the list shows it; nameOf returns it without folders and extensions.
const labelOf = (path) => path.replace(/^\/in\/\d+\//, '');
const nameOf = (path) => path.replace(/^.*[/:]/, '').replace(/\.(bz2|gz|xz)$/i, '').replace(/\.bsp$/i, '');

// close removes the map from the frame.
function close() {
  if (shown) URL.revokeObjectURL(shown.url);
  shown = null;
  $('result').hidden = true;
  $('view').src = 'about:blank';
}

async function show() {
  const args = [$('map').value, ...games()];
  if (working || !args[0]) return;
  close(); // also if the next conversion fails
  const result = await alone('starting', () => convert('html', '', args));
  made(labelOf(args[0]), result);
  if (result.error) return;
  shown = { args, name: nameOf(args[0]), blob: result.blob, url: URL.createObjectURL(result.blob) };
  $('shown').textContent = visible(shown.name);
  $('view').src = shown.url;
  $('result').hidden = false;
  $('view').focus();
}

// saveGLB saves the shown map, converted with the same files.
async function saveGLB() {
  if (working || !shown) return;
  const { args, name } = shown;
  const result = await alone('starting', () => convert('glb', $('preset').value, args));
  made(labelOf(args[0]), result);
  if (result.blob) save(result.blob, `${name}.glb`);
}

// saveAll saves every map of the list. If one fails, the others go on.
async function saveAll() {
  if (working) return;
  const maps = [...$('map').options].map((option) => option.value), files = games(), failed = [], taken = new Set();
  let saved = 0;
  await alone('starting', async () => {
    for (const map of maps) {
      tell(`${named(labelOf(map))}: ${saved + failed.length + 1} of ${maps.length}`);
      $('progress').value = 0;
      const { blob, error } = await convert('glb', $('preset').value, [map, ...files]);
      if (error?.message === CANCELLED) return;
      if (error) failed.push(`${named(labelOf(map))}: ${error.message}`);
      else save(blob, `${unique(nameOf(map), taken)}.glb`);
      saved += error ? 0 : 1;
    }
  });
  tell([`${saved} of ${maps.length} maps saved${saved + failed.length < maps.length ? ', then cancelled' : ''}.`, ...failed].join('\n'), failed.length ? 'error' : '');
}

// unique returns a name that is not in taken, and adds it.
function unique(name, taken) {
  let own = name;
  for (let i = 2; taken.has(own.toLowerCase()); i++) own = `${name}_${i}`;
  taken.add(own.toLowerCase());
  return own;
}

// summary returns the main facts of a report in words.
function summary(report) {
  const missing = (report.materials.missing ?? []).map((m) => m.material);
  const some = missing.slice(0, 5).map(named).join(', ') + (missing.length > 5 ? ` and ${missing.length - 5} more` : '');
  return `${named(report.input.format.game ?? report.input.format.name ?? 'Map')}: ${report.output.triangles.toLocaleString('en')} triangles, ${report.materials.found} of ${report.materials.total} materials found`
    + `${missing.length ? `; missing: ${some}. Drop the game's folder or archives, and show the map again.` : '.'}`;
}

function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => { URL.revokeObjectURL(link.href); }, 60000);
}

// visible returns untrusted text with its control characters, including those that reverse text, in readable form. named also marks it
// as a name, which tell sets apart from the text around it.
const visible = (text) => String(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => `\\u${c.codePointAt(0).toString(16).padStart(4, '0')}`);
const named = (text) => `\u0001${visible(text)}\u0002`;

function tell(text, kind = '') {
  const parts = text.split(/\u0001([^\u0002]*)\u0002/).map((part, i) => {
    if (i % 2 === 0) return part.split('\n').map(visible).join('\n');
    return Object.assign(document.createElement('bdi'), { textContent: part });
  });
  $('message').replaceChildren(...parts);
  $('message').className = kind;
}

const megabytes = (n) => (n < 1e6 ? `${Math.ceil(n / 1e3)} kB` : `${(n / 1e6).toFixed(1)} MB`);

// ---- the buttons ----

addEventListener('dragover', (event) => { event.preventDefault(); });
addEventListener('drop', async (event) => {
  event.preventDefault();
  const items = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = [...event.dataTransfer.files].map((file) => [file.name, file]);
  try {
    await add(items.some((entry) => entry.isDirectory) ? all(items) : files);
  } catch (error) {
    tell(`What was dropped can't be read: ${error.message}`, 'error');
  }
});

// all yields dropped files and folders.
async function* all(items) {
  for (const entry of items) yield* entries(entry, '');
}

// chosen takes the files of an input, and empties the input so that the same files can be chosen again.
function chosen(input, path) {
  const pairs = [...input.files].map((file) => [path(file), file]);
  input.value = '';
  add(pairs);
}

$('choose-files').onclick = () => { $('input-files').click(); };
$('choose-folder').onclick = () => { $('input-folder').click(); };
$('input-files').onchange = ({ target }) => { chosen(target, (file) => file.name); };
$('input-folder').onchange = ({ target }) => { chosen(target, (file) => file.webkitRelativePath); };
$('convert').onclick = show;
$('cancel').onclick = () => { cancel(); };
$('clear').onclick = () => {
  if (working) return;
  close();
  dropped.length = 0;
  $('files').hidden = true;
  $('map').replaceChildren();
  tell('');
};
$('save-page').onclick = () => { if (shown) save(shown.blob, `${shown.name}.html`); };
$('save-glb').onclick = saveGLB;
$('save-all').onclick = saveAll;
$('preset').replaceChildren(...Object.entries(NAMES).map(([value, name]) => new Option(name, value)));
if (!globalThis.WebAssembly || !globalThis.DecompressionStream) tell('This browser is too old for the converter: it needs WebAssembly and DecompressionStream.', 'error');
