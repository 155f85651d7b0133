#!/usr/bin/env python3
"""Many maps from a store to a store in every way that docs/guide/many-maps.md has, with all that runs killed at random.

usage: ways-test.py BSP2GLTF [--store VERSITYGW] [--nats NATS-SERVER] [--ray PYTHON] [--maps N] [--kills N] [--ways WAY,...] FOLDER-OF-MAPS...

one     a batch
shards  four shards of a batch side by side
slurm   slurm.sh as an array of eight tasks on two nodes of SLURM
ray     ray_batch.py in sixteen parts on two nodes of Ray
queue   three workers of a queue
faults  what is wrong with a store, or full, is one line and an exit code within seconds

While a way works, so many of its processes, its nodes and the servers of the store and of the queue are killed. After it, every map must have
one record, and its output the bytes of a batch from a folder to a folder. Without kills, the processor time of the way is printed
beside that of this batch. Without --store, maps and outputs are in folders (not of queue and faults).
"""
import argparse, collections, json, os, random, shutil, subprocess, sys, time
import lab
from lab import check, end, home, kill, processes, running, start, url

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument('program')
parser.add_argument('folders', nargs='+')
for name in 'store', 'nats', 'ray':
    parser.add_argument(f'--{name}')
parser.add_argument('--maps', type=int, default=600)
parser.add_argument('--most', type=int, default=1 << 20, help='the size of the largest map in bytes')
parser.add_argument('--kills', type=int, default=0, help='in each way')
parser.add_argument('--ways', default='one,shards,slurm,ray,queue,faults')
parser.add_argument('--seed', type=int, default=int(time.time()))
asked = parser.parse_args()
lab.enter()
program, bin = os.path.abspath(asked.program), os.path.dirname(os.path.abspath(asked.program))
store = asked.store and os.path.abspath(asked.store)
chance = random.Random(asked.seed)
common = ['--no-pictures', '--log', 'json']
late = 3600  # seconds for a way: the machine may be busy


def place(path):
    return url(path) if store else f'{home}/s3/{path}'


def environment(way):
    """The variables of a way: caches of its own where its time is counted."""
    cache = f'{home}/cache-{way if not asked.kills else "all"}'
    return {**lab.keys, 'XDG_CACHE_HOME': cache, 'SLURM_TMPDIR': cache, 'PATH': f'{bin}:{os.environ["PATH"]}'}


class Way:
    """A way to convert all maps. Victims are what may be killed, by name; tend starts again what was."""

    def __init__(self, name):
        self.name, self.out, self.env = name, f'glb-{name}', environment(name)
        os.makedirs(f'{home}/s3/{self.out}')
        self.command = [program, 'batch', place('maps'), '-o', place(self.out), '--game', place('games/demo'), *common]
        self.later = []  # (when, what): nodes and servers that come back

    def victims(self):
        return {'worker process': lambda: self.one(processes('--pipe'))}

    def one(self, pids):
        if pids:
            end(chance.choice(pids))
        return bool(pids)

    def after(self, wait, what):
        self.later.append((time.time() + wait, what))

    def lose(self, name, again):
        """Kills a server, which comes back."""
        if name not in running:
            return False
        kill(name)
        self.after(chance.uniform(1, 4), again)
        return True

    def tend(self):
        now = [x for x in self.later if x[0] < time.time()]
        self.later = [x for x in self.later if x not in now]
        for _, what in now:
            what()

    def records(self):
        r = subprocess.run([program, 'batch', 'report', place(self.out)], capture_output=True, text=True, env={**os.environ, **self.env}, timeout=300)
        check(r.returncode == 0, f'batch report: {r.stderr}')
        return [json.loads(line) for line in r.stdout.splitlines()]


class Shards(Way):
    """Batches side by side, each started again until it has ended by itself."""

    def __init__(self, name, parts):
        super().__init__(name)
        self.parts = parts

    def part(self, i, name=''):
        flags = ['--shard', f'{i}/{self.parts}', '--jobs', '1'] if self.parts > 1 else ['--jobs', '2']
        start(f'{self.name}{i}{name}', [*self.command, *flags], **self.env)

    def begin(self):
        for i in range(self.parts):
            self.part(i)

    def alive(self):
        return [i for i in range(self.parts) if running[f'{self.name}{i}'].poll() is None]

    def victims(self):
        def batch():
            return self.one([running[f'{self.name}{i}'].pid for i in self.alive()])

        def twin():  # the same part by mistake, which ends with 0, or with 73 in a folder
            parts = [i for i in self.alive() if f'{self.name}{i}twin' not in running]
            if parts:
                self.part(chance.choice(parts), 'twin')
            return bool(parts)
        return {**super().victims(), 'batch': batch, **({'part by a second process beside it': twin} if self.parts > 1 else {})}

    def tend(self):
        super().tend()
        for i in range(self.parts):
            if running[f'{self.name}{i}'].poll() not in (None, 0, 1):
                self.part(i)

    def ended(self):
        return all(p.poll() in (0, 1, 73) for name, p in running.items() if name.startswith(self.name))


class Array(Way):
    """An array of tasks of SLURM, which is submitted again until all tasks end well."""

    def begin(self):
        self.slurm = lab.Slurm(bin)
        self.submit()

    def submit(self):
        self.job = self.slurm.run('sbatch', '--parsable', '--array=0-7', '-o', f'{home}/task-%a.log', '--open-mode=append', f'{lab.here}/slurm.sh',
                                  *self.command[2:3], self.command[4], *self.command[5:-2], **self.env)

    def tasks(self):
        """The states of the tasks that have not ended, by number."""
        return dict(line.split() for line in self.slurm.run('squeue', '-h', '-r', '-o', '%K %t').splitlines())

    def victims(self):
        def requeue():
            tasks = [i for i, state in self.tasks().items() if state == 'R']
            if tasks:
                self.slurm.run('scontrol', 'requeue', f'{self.job}_{chance.choice(tasks)}', must=False)  # it may have ended
            return bool(tasks)

        def node():
            if 'n1' not in running:
                return False
            self.slurm.lose(1)
            self.after(3, lambda: self.slurm.node(1))
            return True
        return {**super().victims(), 'task': lambda: self.one(processes('--shard')), 'task, by requeuing it,': requeue, 'node': node}

    def ended(self):
        if self.tasks() or self.later:
            return False
        if len([r for r in self.records()]) < asked.maps:
            self.submit()  # what was killed for good
            return False
        for name in 'n0', 'n1', 'ctld', 'munged':
            kill(name)
        return True


class Parts(Way):
    """Tasks of Ray."""

    def begin(self):
        self.ray = lab.Ray(os.path.abspath(asked.ray), bin)
        self.script()

    def script(self):
        start('script', [asked.ray, f'{lab.here}/ray_batch.py', *self.command[2:3], self.command[4], '16', '--cache', self.env['SLURM_TMPDIR'],
                         *self.command[5:-2]], **{**self.env, **self.ray.env})

    def victims(self):
        def node():
            self.ray.lose()
            return True
        return {**super().victims(), 'task': lambda: self.one(processes('--shard')), 'node': node}

    def ended(self):
        code = running['script'].poll()
        if code:  # a part was killed more often than Ray tries again
            self.script()
        if code != 0:
            return False
        for name in [name for name in running if name.startswith('ray')]:
            kill(name)
        return True


class Queue(Way):
    """Workers of a queue, each started again until the queue is empty."""
    address = ['--queue', 'nats://127.0.0.1:4222']

    def nats(self):
        start('nats', [asked.nats, '-a', '127.0.0.1', '-p', '4222', '-js', '-sd', f'{home}/js'])

    def begin(self):
        self.nats()
        r = subprocess.run([*self.command[:-2], *self.address], capture_output=True, text=True,
                           env={**os.environ, **self.env}, timeout=600, preexec_fn=lambda: lab.join('work'))
        check(f'{asked.maps} maps queued' in r.stderr, f'batch --queue: {r.stderr}')
        for i in range(3):
            self.worker(i)

    def worker(self, i):
        start(f'worker{i}', [program, 'worker', *self.address, '--jobs', '1', '--until-empty', '--log', 'json'], **self.env)

    def victims(self):
        return {**super().victims(), 'worker': lambda: self.one([p.pid for name, p in running.items() if name.startswith('worker') and p.poll() is None]),
                "queue's server": lambda: self.lose('nats', self.nats)}

    def tend(self):
        super().tend()
        for i in range(3):
            if running[f'worker{i}'].poll() not in (None, 0):
                self.worker(i)

    def ended(self):
        return all(running[f'worker{i}'].poll() == 0 for i in range(3))

    def records(self):
        kill('nats')
        return super().records()


ways = {'one': lambda: Shards('one', 1), 'shards': lambda: Shards('shards', 4), 'slurm': lambda: Array('slurm'), 'ray': lambda: Parts('ray'),
        'queue': lambda: Queue('queue')}


def server():
    if store:
        lab.s3(store, f'{home}/s3')


def outputs(folder):
    return sum(name.endswith('.glb') for name in lab.names(folder))


def run(name, want, failures, alone):
    """Converts all maps in a way, with kills, and checks what has come out."""
    way, began, killed = ways[name](), time.time(), collections.Counter()
    before = {account: lab.seconds(account) or 0 for account in ('work', 's3')}
    way.begin()
    while not way.ended():
        check(time.time() - began < late, f'{name}: not done within {late} s')
        way.tend()
        if sum(killed.values()) < asked.kills and outputs(f'{home}/s3/{way.out}') >= len(want) * (sum(killed.values()) + 1) // (asked.kills + 4):
            victims = way.victims()
            if store:
                victims["store's server"] = lambda: way.lose('s3', server)
            for victim in sorted(victims, key=lambda v: (killed[v], chance.random())):  # each kind once before one comes twice
                if victims[victim]():
                    killed[victim] += 1
                    break
        time.sleep(0.05)
    took = {account: (lab.seconds(account) or 0) - before[account] for account in before}
    while way.later:
        way.tend()
    check(sum(killed.values()) == asked.kills, f'{name}: only {killed} were killed: too few maps')
    got = lab.tree(f'{home}/s3/{way.out}')
    check(got == want, f'{name}: {len(got)} outputs, not {len(want)}: {sorted(set(got.items()) ^ set(want.items()))[:9]}')
    records = way.records()
    check(len(records) == len({r['output'] for r in records}) == asked.maps, f'{name}: {len(records)} records')
    check({r['output']: r['reason'] for r in records if r.get('reason')} == failures, f'{name}: other maps failed')
    time_of = ''
    if alone and not asked.kills:
        time_of = ': {:.1f} s of processor time, {:+.0f} %'.format(took['work'], 100 * (took['work'] / alone - 1))
        time_of += ", the store's server {:.1f} s".format(took['s3']) if store else ''
    what = ', '.join(f'{n} × {v}' for v, n in sorted(killed.items()))
    print(f'ok: {name}: {len(records)} records, the bytes of a batch between folders{time_of}{"; killed: " + what if what else ""}', flush=True)
    return sum(killed.values())


def faults():
    """Checks that what is wrong with a store is one line and an exit code, within a minute."""
    for name in 'empty', 'full', 'scratch':
        os.makedirs(f'{home}/{name}/glb')
    for name in 'full', 'scratch':
        subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=300k', 'x', f'{home}/{name}'], check=True)
    os.makedirs(f'{home}/full/glb')
    lab.s3(store, f'{home}/empty', 9001, 'locked', '--readonly')
    lab.s3(store, f'{home}/full', 9002, 'full')
    time.sleep(2)
    maps, out = url('maps'), url('glb-faults')
    os.makedirs(f'{home}/s3/glb-faults')
    cases = [
        ('a wrong secret', maps, out, [], {'AWS_SECRET_ACCESS_KEY': 'x'}, 66, 'the store refuses the credentials'),
        ('a wrong key', maps, out, [], {'AWS_ACCESS_KEY_ID': 'x'}, 66, 'the store refuses the credentials'),
        ('no credentials', maps, out, [], {'AWS_ACCESS_KEY_ID': '', 'AWS_SECRET_ACCESS_KEY': ''}, 66, 'there are no credentials'),
        ('no credentials of Google', 'gs://maps', out, [], {}, 66, 'there are no credentials'),
        ('no bucket of maps', url('none'), out, [], {}, 66, 's3://none: unreadable: there is no such bucket'),
        ('no bucket of outputs', maps, url('none/x'), [], {}, 73, 's3://none/x: can\'t create: there is no such bucket'),
        ('no bucket of a game', maps, out, ['--game', url('none/x')], {}, 66, 's3://none/x: unreadable: there is no such bucket'),
        ('no maps', url('maps/none'), out, [], {}, 66, 'no map was found'),
        ('no server for maps', url('maps', 9009), out, [], {}, 66, 'connection refused'),
        ('no server for outputs', maps, url('glb', 9009), [], {}, 73, 'connection refused'),
        ('no right to write', maps, url('glb', 9001), [], {}, 74, 's3://glb: can\'t write: the store refuses the credentials (AccessDenied)'),
        ('a full store', maps, url('glb', 9002), [], {}, 74, 'no space left on device (InsufficientStorage)'),
        ('a full disk', maps, out, ['--scratch', f'{home}/scratch'], {}, 74, 'no space left on device'),
    ]
    for what, maps, out, flags, env, code, text in cases:
        began = time.time()
        r = subprocess.run([program, '-q', 'batch', maps, '-o', out, '--no-pictures', *flags], capture_output=True, text=True, timeout=120,
                           env={**os.environ, **environment('faults'), **env})
        lines = [line for line in r.stderr.splitlines() if line.startswith('bsp2gltf:')]
        check(r.returncode == code and len(lines) == 1 and text in lines[0] and 'SDK' not in r.stderr and not r.stdout and time.time() - began < 60,
              f'{what}: exit {r.returncode} after {time.time() - began:.0f} s: {r.stderr[-900:]}')
    # With room again the same command goes on.
    subprocess.run(['mount', '-o', 'remount,size=1g', f'{home}/full'], check=True)
    r = subprocess.run([program, 'batch', url('maps'), '-o', url('glb', 9002), *common], capture_output=True, text=True, env={**os.environ, **environment('faults')})
    check(r.returncode in (0, 1) and ' 0 done before' not in r.stderr and outputs(f'{home}/full/glb') > 0, f'with room again: {r.stderr[-500:]}')
    for name in 'locked', 'full':
        kill(name)
    for name in 'full', 'scratch':
        subprocess.run(['umount', f'{home}/{name}'], check=True)
    print(f'ok: {len(cases)} faults of stores, each one line and its exit code', flush=True)


def main():
    lab.fill(f'{home}/s3/maps', lab.maps([f for f in asked.folders], asked.most), asked.maps - 2)
    for i in range(2):
        with open(f'{home}/s3/maps/broken{i}.bsp', 'wb') as f:
            f.write(b'IBSP' + bytes([46, 0, 0, 0]) + b'\xff' * 99)
    shutil.copytree(f'{lab.here}/../testdata/demo', f'{home}/s3/games/demo', ignore=shutil.ignore_patterns('*.bsp'))
    p = start('alone', [program, 'batch', f'{home}/s3/maps', '-o', f'{home}/alone', '--game', f'{home}/s3/games/demo', '--jobs', '2', *common], 'alone',
              **environment('alone'))
    check(p.wait() == 1, 'the batch between folders')
    want, failures = lab.tree(f'{home}/alone'), {}
    with open(f'{home}/alone/.bsp2gltf/manifest.jsonl') as f:
        records = [json.loads(line) for line in f]
        failures = {r['output']: r['reason'] for r in records if r.get('reason')}
        games = collections.Counter(r['summary']['format'] for r in records if r.get('summary'))
    alone = lab.seconds('alone')
    print(f'{asked.maps} maps of {len(games)} formats, {len(failures)} of them broken, between folders: {alone or 0:.1f} s of processor time; seed {asked.seed}', flush=True)
    server()
    time.sleep(1)
    killed = 0
    for name in asked.ways.split(','):
        if name == 'faults':
            faults()
        else:
            killed += run(name, want, failures, alone)
    if asked.kills:
        print(f'ok: {killed} were killed in total', flush=True)


main()
lab.finish()
