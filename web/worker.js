// The worker of the converter. Each conversion gets a new one, which is terminated to cancel it. Go's runtime (wasm_exec.js) is
// prepended. The worker gives Go a read-only file system: the dropped files below /in. They are read from disk in blocks, so that an
// archive of gigabytes takes no memory.

const BLOCK = 1 << 18; // bytes read at once, because Go asks for a few at a time

// folder makes a tree of files from [path, File] pairs.
function folder(files) {
  const root = { children: new Map() };
  for (const [path, file] of files) {
    let at = root;
    const names = path.split('/').filter(Boolean);
    names.forEach((name, i) => {
      if (!at.children.has(name)) at.children.set(name, i === names.length - 1 ? { file } : { children: new Map() });
      at = at.children.get(name);
    });
  }
  return root;
}

class Files {
  constructor(files, said) {
    this.root = folder(files);
    this.open_ = new Map();
    this.next = 3;
    this.said = said; // called with what is printed
    this.reader = new FileReaderSync();
    this.constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
    // Go may call these on a read-only file system.
    for (const name of ['chmod', 'chown', 'fchmod', 'fchown', 'lchown', 'link', 'mkdir', 'rename', 'rmdir', 'symlink', 'truncate', 'ftruncate', 'unlink', 'utimes']) {
      this[name] = (...args) => args.at(-1)(problem('EROFS'));
    }
    this.fsync = (fd, callback) => callback(null);
    this.readlink = (path, callback) => callback(problem('EINVAL'));
    this.lstat = (path, callback) => this.stat(path, callback);
  }

  find(path) {
    let at = this.root;
    for (const name of path.split('/')) {
      if (name === '' || name === '.') continue;
      at = at?.children?.get(name);
    }
    return at;
  }

  open(path, flags, mode, callback) {
    const node = this.find(path);
    if (!node) return callback(problem('ENOENT'));
    if (flags & 3) return callback(problem('EROFS'));
    const fd = this.next++;
    this.open_.set(fd, { node, at: 0, from: 0, block: new Uint8Array(0) });
    return callback(null, fd);
  }

  close(fd, callback) {
    this.open_.delete(fd);
    callback(null);
  }

  stat(path, callback) {
    const node = this.find(path);
    return node ? callback(null, stats(node)) : callback(problem('ENOENT'));
  }

  fstat(fd, callback) {
    const file = this.open_.get(fd);
    return file ? callback(null, stats(file.node)) : callback(problem('EBADF'));
  }

  readdir(path, callback) {
    const node = this.find(path);
    if (!node) return callback(problem('ENOENT'));
    return node.children ? callback(null, [...node.children.keys()]) : callback(problem('ENOTDIR'));
  }

  read(fd, buffer, offset, length, position, callback) {
    const file = this.open_.get(fd);
    if (!file) return callback(problem('EBADF'));
    if (!file.node.file) return callback(problem('EISDIR'));
    const from = position ?? file.at;
    const some = Math.min(length, Math.max(0, file.node.file.size - from));
    try {
      buffer.set(this.piece(file, from, some), offset);
    } catch {
      return callback(problem('EIO')); // the file has changed or disappeared
    }
    if (position === null) file.at += some;
    return callback(null, some);
  }

  // piece returns bytes of a file. It keeps the block read last.
  piece(file, from, length) {
    const { block } = file;
    if (from >= file.from && from + length <= file.from + block.length) return block.subarray(from - file.from, from - file.from + length);
    const read = (size) => new Uint8Array(this.reader.readAsArrayBuffer(file.node.file.slice(from, from + size)));
    if (length >= BLOCK) return read(length);
    file.from = from;
    file.block = read(BLOCK);
    return file.block.subarray(0, length);
  }

  writeSync(fd, bytes) {
    this.said(new TextDecoder().decode(bytes));
    return bytes.length;
  }

  write(fd, buffer, offset, length, position, callback) {
    if (fd > 2) return callback(problem('EBADF'));
    return callback(null, this.writeSync(fd, buffer.subarray(offset, offset + length)));
  }
}

function problem(code) {
  return Object.assign(new Error(code), { code });
}

function stats(node) {
  const size = node.file?.size ?? 0, time = node.file?.lastModified ?? 0;
  return {
    dev: 1, ino: 0, mode: node.children ? 0o40755 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 4096, blocks: Math.ceil(size / 512),
    atimeMs: time, mtimeMs: time, ctimeMs: time, isDirectory: () => Boolean(node.children),
  };
}

const TELL_EVERY = 50; // milliseconds, because thousands of small images are not worth a message each
const NO_MEMORY = 'the map needs more memory than a page may have here (4 GB at most, in some browsers 1 or 2): convert it with the program instead';

// Messages from the page: {module, args, files}. Messages to it: {stage}, {items}, {report}, {maps}, {parts} of the output, {failed}.
globalThis.onmessage = async ({ data: { module, args, files } }) => {
  let printed = '', failed = null, parts = [], held = [], size = 0, told = 0;
  const flush = () => {
    if (size) parts.push(new Blob(held)); // a Blob may be on disk, an array is in memory
    held = [];
    size = 0;
  };
  globalThis.bsp2gltf = {
    args,
    stage: (name) => postMessage({ stage: name }),
    items: (name, done, of) => {
      if (done < of && performance.now() - told < TELL_EVERY) return;
      told = performance.now();
      postMessage({ items: { name, done, of } });
    },
    data: (bytes) => {
      held.push(bytes);
      size += bytes.length;
      if (size > 1 << 24) flush();
    },
    report: (json) => postMessage({ report: JSON.parse(json) }),
    maps: (found) => postMessage({ maps: found }),
    fail: (message) => { failed = message; },
  };
  globalThis.fs = new Files(files, (text) => { printed = (printed + text).slice(0, 4000); });
  globalThis.process = { ...globalThis.process, cwd: () => '/', pid: 1, ppid: 0, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [], umask: () => 0o22, chdir() {} };
  try {
    const go = new globalThis.Go();
    go.argv = ['bsp2gltf'];
    let code = 0;
    go.exit = (c) => { code = c; };
    await go.run(await WebAssembly.instantiate(module, go.importObject));
    flush();
    if (code !== 0) failed = /out of memory|cannot allocate/.test(printed) ? NO_MEMORY : `the converter stopped (code ${code}): ${printed.split('\n')[0]}`;
  } catch (error) {
    failed = error instanceof RangeError || /memory/i.test(error.message) ? NO_MEMORY : `the converter stopped: ${error.message}`;
  }
  postMessage(failed ? { failed } : { parts });
};
