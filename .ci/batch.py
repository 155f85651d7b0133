#!/usr/bin/env python3
"""Batches that are killed, stopped or can't write; and a worker that converts a thousand maps.

usage: batch.py BSP2GLTF kills MAPS [ROUNDS]     kill -9 of the whole group at random moments, then SIGINT and SIGTERM
       batch.py BSP2GLTF disks MAPS              a full disk, a read-only one, outputs that are links and folders
       batch.py BSP2GLTF terminal MAPS                what a terminal shows, and --watch
       batch.py BSP2GLTF whole FOLDER...              all maps: times, and each output beside that of a single conversion
       batch.py BSP2GLTF flat MAP [JOBS]         memory and descriptors of one worker
MAPS is a folder. A failed test keeps its files and says where.
"""
import fcntl, hashlib, json, os, pty, random, re, select, shutil, struct, signal, subprocess, sys, tempfile, termios, time

program, what, source = os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3])
number = int(sys.argv[4]) if len(sys.argv) > 4 and sys.argv[4].isdigit() else 0
lab = tempfile.mkdtemp(prefix='batch-')
maps, out = f'{lab}/maps', f'{lab}/out'


def check(ok, message):
    if not ok:
        raise SystemExit(f'FAIL {message} (in {lab})')


def sha(path):
    with open(path, 'rb') as f:
        return hashlib.sha256(f.read()).hexdigest()


def tree(folder):
    """The files of an output folder by name, except the batch's own."""
    found = {}
    for d, dirs, files in os.walk(folder):
        dirs[:] = [x for x in dirs if x != '.bsp2gltf']
        for f in files:
            p = os.path.join(d, f)
            found[os.path.relpath(p, folder)] = sha(p)
    return found


def collect(count):
    """Copies maps until there are enough."""
    sources = sorted(os.path.join(d, f) for d, _, files in os.walk(source) for f in files if f.endswith('.bsp'))
    check(sources, f'no maps in {source}')
    for n in range(count):
        to = f'{maps}/d{n % 7}/m{n:03}.bsp'
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copyfile(sources[n % len(sources)], to)


def batch(*flags, to=None, **options):
    return subprocess.Popen([program, 'batch', maps, '-o', to or out, '--log', 'json', *flags], stderr=subprocess.PIPE, text=True,
                            start_new_session=True, **options)


def finish(p):
    """The line that ends a batch: None if there is none, {} if the batch said nothing because it had not begun."""
    said = [json.loads(line) for line in p.communicate()[1].splitlines() if line.startswith('{')]
    ended = [s for s in said if s['msg'] == 'ended']
    return ended[-1] if ended else None if said else {}


def kills():
    rounds, count = number or 30, 100
    collect(count)
    for _ in range(2):  # the second time with a warm cache, like the rounds
        shutil.rmtree(f'{lab}/whole', ignore_errors=True)
        began = time.time()
        p = batch(to=f'{lab}/whole')
        check(finish(p)['converted'] == count and p.returncode == 0, 'the batch that nobody stops')
        took = time.time() - began
    want = tree(f'{lab}/whole')
    stops = [signal.SIGKILL] * rounds + [signal.SIGINT, signal.SIGTERM] * max(1, rounds // 6)
    unfinished = 0
    for i, stop in enumerate(stops):
        if i % 3 == 0:  # each batch is killed twice, then it may end
            shutil.rmtree(out, ignore_errors=True)
        p = batch()
        time.sleep(random.random() * took * .4)
        alive = p.poll() is None
        told = time.time()
        if alive:
            os.killpg(p.pid, stop)
        ended = finish(p)
        late = time.time() - told
        check(late < 5, f'round {i}: {late:.1f} s from {stop.name} to the end')
        if alive and p.returncode == -stop and not ended:  # it was stopped before it handled signals
            pass
        elif alive and stop != signal.SIGKILL and p.returncode != 0:
            check(p.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[stop], f'round {i}: exit {p.returncode} after {stop.name}')
            check(ended is not None and ended.get('failed', 0) == 0, f'round {i}: {ended} after {stop.name}')
        now = {name: s for name, s in tree(out).items() if not os.path.basename(name).startswith('.bsp2gltf-')} if os.path.isdir(out) else {}
        if stop != signal.SIGKILL and os.path.isdir(out):
            check(len(now) == len(tree(out)), f'round {i}: temporary files after {stop.name}')
        check(all(want.get(name) == s for name, s in now.items()), f'round {i}: half outputs, or files that nobody has asked for')
        unfinished += len(now) < len(want)
        if i % 3 == 2 or i == len(stops) - 1:
            p = batch()
            ended = finish(p)
            check(p.returncode == 0 and ended['converted'] + ended['before'] == count, f'round {i}: resumed: {ended}')
            check(tree(out) == want, f'round {i}: after it went on there is {sorted(set(tree(out)) ^ set(want))[:5]}')
            left = [f for _, _, files in os.walk(out) for f in files if f.startswith('.bsp2gltf-')]
            check(not left, f'round {i}: temporary files are left: {left[:5]}')
            check(len(os.listdir(f'{out}/.bsp2gltf/pictures')) >= count * .9, f'round {i}: pictures are missing')
    check(unfinished >= len(stops) // 2, f'only {unfinished} of {len(stops)} rounds ended a batch in the middle')
    print(f'ok: {rounds} times kill -9, {len(stops) - rounds} times SIGINT or SIGTERM, {unfinished} of them in the middle: nothing lost, nothing stray')


def disks():
    collect(20)
    whole = f'{lab}/whole'
    check(finish(batch(to=whole))['converted'] == 20, 'the batch with room')
    want = tree(whole)
    total = sum(os.path.getsize(f'{whole}/{name}') for name in want)
    small = f'{lab}/small'
    os.makedirs(small)
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={total // 2}', 'none', small], stderr=subprocess.DEVNULL).returncode:
        print('skip: no tmpfs can be mounted here')
        return
    try:
        p = batch(to=small)
        said = p.communicate()[1]
        check(p.returncode == 74 and 'no space left on device' in said, f'a full disk: exit {p.returncode}: {said[-300:]}')
        now = tree(small)
        check(now and all(want[name] == s for name, s in now.items()), f'a full disk has half outputs: {sorted(set(now) - set(want))}')
        check(sum(name.endswith('.glb') for name in now) < 20, 'the disk was not full')
        subprocess.run(['mount', '-o', 'remount,size=200m', small], check=True)
        ended = finish(batch(to=small))
        check(ended['converted'] + ended['before'] == 20 and tree(small) == want, f'with more room: {ended}')
        subprocess.run(['mount', '-o', 'remount,ro', small], check=True)
        for flags in [], ['--force']:
            p = batch(*flags, to=small)
            said = p.communicate()[1]
            check(p.returncode == 73 and 'read-only file system' in said, f'a read-only disk: exit {p.returncode}: {said[-300:]}')
        check(tree(small) == want, 'outputs of a read-only disk')
        subprocess.run(['mount', '-o', 'remount,rw', small], check=True)
        # One output is a link to a file elsewhere, one a folder, and one folder a link that leads out.
        names = sorted(name for name in want if name.endswith('.glb'))
        victim, kept = f'{lab}/victim', f'{lab}/kept'
        open(victim, 'w').write('precious')
        os.makedirs(kept)
        os.remove(f'{small}/{names[0]}')
        os.symlink(victim, f'{small}/{names[0]}')
        os.remove(f'{small}/{names[1]}')
        os.makedirs(f'{small}/{names[1]}')
        shutil.rmtree(f'{small}/d6')
        os.symlink(kept, f'{small}/d6')
        p = batch('--force', to=small)
        ended = finish(p)
        outside = sum(name.startswith('d6/') for name in names)
        check(p.returncode == 1 and ended['failed'] in (1 + outside, 2 + outside), f'links and folders: exit {p.returncode}, {ended}')
        check(open(victim).read() == 'precious' and not os.listdir(kept), 'something was written outside of the output folder')
        check(os.path.isdir(f'{small}/{names[1]}'), 'a folder was replaced')
        now = tree(small)
        check(all(now.get(name) == s for name, s in want.items() if not name.startswith('d6/') and name not in names[:2]), 'the others')
    finally:
        subprocess.run(['umount', small])
    print('ok: a full disk, a read-only one, links and folders in the way: told, and what was there is whole')


def measured(*args):
    """Runs a batch. Returns its end, the processor seconds including its workers', and the elapsed seconds."""
    began = time.time()
    p = subprocess.Popen([program, 'batch', *args, '--log', 'json'], stderr=subprocess.PIPE, text=True)
    said = [json.loads(line) for line in p.stderr if line.startswith('{')]
    _, _, used = os.wait4(p.pid, 0)
    ended = [s for s in said if s['msg'] == 'ended'][-1]
    return ended, used.ru_utime + used.ru_stime, time.time() - began


def whole():
    sources = [os.path.abspath(s) for s in sys.argv[3:]]
    flags = [*sources, '--base', '/', '-o', out, '--cache', f'{lab}/cache']
    tell = lambda name, m: print(f'{name:34} {m[1]:6.1f} processor seconds, {m[2]:6.1f} s on the clock: {m[0]["converted"]} converted, '
                                 f'{m[0]["before"]} before, {m[0]["failed"]} failed, {m[0]["unreadable"]} unreadable', flush=True)
    cold = measured(*flags)
    tell('cold cache', cold)
    again = measured(*flags)
    tell('again', again)
    check(again[0]['converted'] == 0 and again[0]['before'] == cold[0]['converted'], f'again: {again[0]}')
    check(again[2] < 2 or os.getloadavg()[0] > 3, 'to do nothing took more than 2 s')
    warm = measured(*flags, '--force')
    tell('--force, warm cache', warm)
    records = [json.loads(r) for r in subprocess.run([program, 'batch', 'report', out], capture_output=True, text=True, check=True).stdout.splitlines()]
    check(len(records) == cold[0]['converted'] + cold[0]['failed'], f'{len(records)} records')
    check(all(r.get('reason') in (None, 'corrupt', 'unsupported', 'limit') for r in records), 'a map failed for a reason that may not hold')
    for reason in sorted({r['reason'] for r in records if r.get('reason')}):
        print(f'{sum(r.get("reason") == reason for r in records)} refused: {reason}')
    single = f'{lab}/single'
    files = 0
    for r in records:
        name = os.path.join(single, r['output'])
        p = subprocess.run([program, '-q', r['path'], name], capture_output=True, text=True)
        check((p.returncode == 0) == ('reason' not in r), f'{r["path"]}: alone it ends with {p.returncode}: {p.stderr}')
        for f in r.get('files', []):
            files += 1
            check(sha(os.path.join(single, f['name'])) == f['sha256'] == sha(os.path.join(out, f['name'])), f'{f["name"]} is not what a single conversion writes')
    check(files == len(tree(out)), f'{len(tree(out)) - files} files that no record has')
    check(warm[1] < cold[1] / 3, f'a warm cache saves too little: {cold[1] / warm[1]:.2f} times less')
    print(f'ok: {len(records)} maps; all {files} files are those of single conversions')


class Terminal:
    """A batch on a terminal of 100 columns."""

    def __init__(self, *args):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 100, 0, 0))  # before the program asks for it
            os.environ.update(TERM='xterm', NO_COLOR='1')
            os.environ.pop('CI', None)  # which would select plain lines
            os.execv(program, [program, 'batch', maps, '-o', out, '--cache', 'none', *args])
        self.said = ''

    def read(self, until=None, seconds=60):
        """Reads until a pattern comes or the program ends. Removes and returns the text up to it."""
        end = time.time() + seconds
        while not (found := until and re.search(until, self.said, re.S)):
            check(time.time() < end, f'the terminal does not show {until!r}: {self.said[-500:]!r}')
            if select.select([self.fd], [], [], .2)[0]:
                try:
                    self.said += os.read(self.fd, 1 << 16).decode()
                except OSError:  # the program has ended
                    check(until is None, f'it ended without {until!r}: {self.said[-500:]!r}')
                    break
        said, self.said = (self.said[:found.end()], self.said[found.end():]) if found else (self.said, '')
        return said

    def end(self):
        said = self.read()
        return said, os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def terminal():
    collect(20)
    with open(f'{maps}/bad.bsp', 'w') as f:
        f.write('IBSP')
    said, code = Terminal('--jobs', '2').end()
    frames = said.split('\x1b[J')  # each frame is drawn over the one before
    check(code == 1, f'exit {code}')
    check(any(re.search(r'\d+/21 maps, [01] failed(, \d+ with missing materials)? +\[=*>?-*\] +\d+/min, \d+s left', f) for f in frames), f'no bar: {said[:800]!r}')
    check(any(re.search(r'  1  \S+\.bsp  \d+s.*  2  \S+\.bsp  \d+s', f, re.S) for f in frames), f'not what each worker does: {said[:800]!r}')
    check(sum('failed bad.bsp' in f or 'bad.bsp: corrupt' in f for f in frames) >= 1, f'the failure is not told: {said!r}')
    check('20 maps converted, 0 done before, 1 failed in ' in frames[-1] and '/21 maps, ' not in frames[-1], f'the end: {frames[-1]!r}')
    long = [line for f in frames[:-1] for line in f.split('\r\n') if len(line) > 100 and not line.startswith('[')]  # the last frame stays
    check(not long, f'lines too long for the terminal: {long}')
    os.remove(f'{maps}/bad.bsp')
    t = Terminal('--watch')
    t.read(r'0 maps converted, 20 done before, 0 failed')
    shutil.copyfile(f'{maps}/d0/m000.bsp', f'{maps}/d0/new.bsp')
    t.read(r'1 map converted, 20 done before, 0 failed')
    before = sha(f'{out}/d0/new.glb')
    shutil.copyfile(f'{maps}/d1/m001.bsp', f'{maps}/d0/new.bsp')
    t.read(r'1 map converted, 20 done before, 0 failed')
    subprocess.run([program, '-q', f'{maps}/d0/new.bsp', f'{lab}/new.glb'], check=True)
    check(sha(f'{out}/d0/new.glb') == sha(f'{lab}/new.glb') != before, 'the map that has changed')
    with open(f'{maps}/d0/new.bsp', 'r+b') as f:
        f.truncate(50)
    t.read(r'0 maps converted, 20 done before, 1 failed')
    os.kill(t.pid, signal.SIGINT)
    said, code = t.end()
    check(code == 130, f'exit {code} after SIGINT')
    print('ok: a terminal has a bar, what each worker does, failures and the end; --watch converts what is new and what has changed')


def flat():
    jobs = number or 1000
    text = subprocess.run([program, '--print-config'], capture_output=True, text=True, check=True).stdout
    p = subprocess.Popen([program, 'worker', '--pipe'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    ask = lambda q: (p.stdin.write(json.dumps(q) + '\n'), p.stdin.flush())
    ask({'setup': {'options': text, 'format': 'glb', 'limits': {}}})
    memory, files = [], []
    for i in range(jobs):
        ask({'job': {'id': i, 'in': source, 'out': f'{lab}/map.glb', 'timeout': 60_000_000_000, 'memory': 1 << 30}})
        answer = json.loads(p.stdout.readline())
        check(answer['id'] == i and not answer.get('reason'), answer)
        with open(f'/proc/{p.pid}/statm') as f:
            memory.append(int(f.read().split()[1]) * 4096)
        files.append(len(os.listdir(f'/proc/{p.pid}/fd')))
    p.stdin.close()
    check(p.wait(timeout=5) == 0, 'the worker\'s end')
    mean = lambda part: sum(memory[part * jobs // 4:(part + 1) * jobs // 4]) / (jobs // 4)
    growth = mean(3) / mean(1) - 1
    check(growth < .05, f'memory grows by {growth:.1%} from the second to the fourth quarter')
    check(max(files[jobs // 4:]) <= max(files[:jobs // 4]), f'descriptors: {max(files[:jobs // 4])}, later {max(files[jobs // 4:])}')
    print(f'ok: {jobs} conversions in one worker: {mean(1) / 1e6:.0f} MB, {growth:+.1%} from the second to the fourth quarter; {max(files)} descriptors')


{'kills': kills, 'disks': disks, 'flat': flat, 'terminal': terminal, 'whole': whole}[what]()
shutil.rmtree(lab)
