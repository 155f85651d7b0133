"""Shared by the tests in this folder: namespaces of their own, processes that are killed, servers, SLURM, Ray, and comparisons."""
import hashlib, os, shutil, signal, subprocess, sys, tempfile, time, zipfile

here = os.path.dirname(os.path.abspath(__file__))
home = os.environ.get('LAB') or tempfile.mkdtemp(prefix='bsp2gltf-')
running = {}
keys = {'AWS_ACCESS_KEY_ID': 'key', 'AWS_SECRET_ACCESS_KEY': 'secret'}


def enter():
    """Restarts the program in namespaces of its own for processes, mounts and network: all that it starts ends with it, and no port is
    taken. It needs root."""
    if 'LAB' not in os.environ:
        os.environ['LAB'] = home
        lo = 'ip link set lo up && ip addr add 10.99.0.1/32 dev lo; exec "$@"'  # SLURM resolves no names if all addresses are loopback
        os.execvp('unshare', ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', lo, 'sh', sys.executable, *sys.argv])


def check(ok, what):
    if not ok:
        raise SystemExit(f'FAIL {what} (in {home})')


def finish():
    """Removes what is left after a test that has passed."""
    for name in list(running):
        kill(name)
    for account in 'work', 's3', 'alone':
        try:
            os.rmdir(place(account))
        except (OSError, TypeError):
            pass  # there was none
    shutil.rmtree(home, ignore_errors=True)


# ---- processes ----

def start(name, args, account='work', **env):
    """Starts a process in a process group of its own."""
    log = open(f'{home}/{name}.log', 'ab')
    running[name] = subprocess.Popen(args, stdout=log, stderr=log, env={**os.environ, **env}, start_new_session=True, preexec_fn=lambda: join(account))
    return running[name]


def kill(name):
    """Kills a process with its group and all its descendants."""
    p = running.pop(name)
    for pid in below(p.pid):
        end(pid)
    try:
        os.killpg(p.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    p.wait()


def end(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def below(pid):
    """A process and all its descendants."""
    try:
        with open(f'/proc/{pid}/task/{pid}/children') as f:
            return [pid] + [x for child in f.read().split() for x in below(int(child))]
    except OSError:
        return []


def of(pid, what):
    """The words of a process's command line or environment; none if the process has ended."""
    try:
        with open(f'/proc/{pid}/{what}', 'rb') as f:
            return f.read().decode(errors='replace').split('\0')
    except OSError:
        return ['']


def processes(word, variable=''):
    """The bsp2gltf processes with a word in their command line and, if given, an environment variable."""
    found = []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        words = of(pid, 'cmdline')
        if os.path.basename(words[0]).startswith('bsp2gltf') and word in words and (not variable or variable in of(pid, 'environ')):
            found.append(int(pid))
    return found


# ---- processor time ----

def place(account):
    """The control group of an account, or None if there are no control groups."""
    for top in '/sys/fs/cgroup/cpuacct', '/sys/fs/cgroup':
        if os.path.exists(f'{top}/cpuacct.usage' if top.endswith('acct') else f'{top}/cgroup.controllers'):
            return f'{top}/{os.path.basename(home)}-{account}'


def join(account):
    """Counts the processor time of this process and its children for an account."""
    group = place(account)
    try:
        os.makedirs(group, exist_ok=True)
        with open(f'{group}/cgroup.procs', 'w') as f:
            f.write('0')
    except (OSError, TypeError):
        pass


def seconds(account):
    """The processor time of an account so far in seconds, or None if it can't be counted."""
    try:
        if os.path.exists(f'{place(account)}/cpuacct.usage'):
            with open(f'{place(account)}/cpuacct.usage') as f:
                return int(f.read()) / 1e9
        with open(f'{place(account)}/cpu.stat') as f:
            return int(f.readline().split()[1]) / 1e6
    except OSError:
        return None


# ---- maps and outputs ----

def maps(places, most):
    """The maps in folders and in archives there, up to a size, as (name, content); each content once."""
    found, seen = [], set()
    for top in places:
        for path in sorted(os.path.join(d, f) for d, _, files in os.walk(top) for f in files):
            if path.endswith('.bsp') and os.path.getsize(path) <= most:
                with open(path, 'rb') as f:
                    members = [(path, f.read())]
            elif path.endswith('.pk3'):
                with zipfile.ZipFile(path) as z:
                    members = [(i.filename, z.read(i)) for i in z.infolist() if i.filename.endswith('.bsp') and i.file_size <= most]
            else:
                continue
            for name, data in members:
                sum = hashlib.sha256(data).digest()
                if sum not in seen:
                    seen.add(sum)
                    found.append((os.path.basename(name), data))
    check(found, f'no maps in {places}')
    return found


def fill(folder, sources, count):
    """Writes maps into a folder, repeatedly, until there are enough."""
    os.makedirs(folder)
    for n in range(count):
        name, data = sources[n % len(sources)]
        with open(f'{folder}/m{n:04}-{name}', 'wb') as f:
            f.write(data)


def sha(path):
    with open(path, 'rb') as f:
        return hashlib.sha256(f.read()).hexdigest()


def names(folder):
    """The names of a folder's files, except the batch's own and files that the S3 server has not finished."""
    found = []
    for d, dirs, files in os.walk(folder):
        dirs[:] = [x for x in dirs if x not in ('.bsp2gltf', '.sgwtmp')]
        found += [os.path.relpath(os.path.join(d, f), folder) for f in files]
    return found


def tree(folder):
    """The hashes of a folder's files, by name."""
    return {name: sha(os.path.join(folder, name)) for name in names(folder)}


# ---- servers ----

def s3(gateway, folder, port=9000, name='s3', *flags):
    """Starts versitygw on a folder; its subfolders are the buckets."""
    start(name, [gateway, *flags, '--port', f'127.0.0.1:{port}', 'posix', folder], 's3', ROOT_ACCESS_KEY='key', ROOT_SECRET_KEY='secret')


def url(path, port=9000):
    return f's3://{path}?region=us-east-1&endpoint=http://127.0.0.1:{port}&use_path_style=true&disable_https=true'


class Slurm:
    """Debian's SLURM, with two nodes on this machine. It needs slurm-wlm and munge."""

    def __init__(self, bin):
        self.env = {**keys, 'SLURM_CONF': f'{home}/slurm.conf', 'PATH': f'{bin}:{os.environ["PATH"]}'}
        os.chmod(home, 0o755)
        for d in ('state', 'spooln0', 'spooln1', 'munge'):
            os.makedirs(f'{home}/{d}')
        with open(f'{home}/munge/key', 'wb') as f:
            f.write(os.urandom(1024))
        os.chmod(f'{home}/munge/key', 0o600)
        start('munged', ['munged', '--foreground', '--force', *(f'--{x}={home}/munge/{x.split("-")[0]}' for x in
                         ('key-file', 'socket', 'pid-file', 'log-file', 'seed-file'))])
        host = os.uname().nodename
        with open(f'{home}/slurm.conf', 'w') as f:
            f.write(f'''ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={home}/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={home}/state
SlurmdSpoolDir={home}/spool%n
SlurmctldPidFile={home}/ctld.pid
SlurmdPidFile={home}/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
KillWait=5
SchedulerParameters=sched_interval=1,batch_sched_delay=1
JobRequeue=1
NodeName=n0 NodeHostname={host} NodeAddr=127.0.0.1 Port=7001 CPUs=2 RealMemory=4000
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port=7002 CPUs=2 RealMemory=4000
PartitionName=all Nodes=n0,n1 Default=YES MaxTime=INFINITE State=UP
''')
        time.sleep(1)
        start('ctld', ['slurmctld', '-D', '-c', '-f', f'{home}/slurm.conf'], **self.env)
        self.node(0)
        self.node(1)
        late = time.time() + 120
        while set(self.run('sinfo', '-h', '-o', '%t', must=False).split()) != {'idle'}:
            check(time.time() < late, 'the nodes of SLURM do not come up')
            time.sleep(0.3)

    def node(self, i):
        start(f'n{i}', ['slurmd', '-D', '-N', f'n{i}', '-f', f'{home}/slurm.conf'], **self.env)

    def run(self, *args, wait=120, must=True, **env):
        r = subprocess.run(args, capture_output=True, text=True, env={**os.environ, **self.env, **env}, timeout=wait)
        check(r.returncode == 0 or not must, f'{args}: {r.stderr}')
        return r.stdout.strip()

    def lose(self, i):
        """Makes a node fail with everything that runs on it."""
        kill(f'n{i}')
        for pid in processes('batch', f'SLURMD_NODENAME=n{i}') + processes('worker', f'SLURMD_NODENAME=n{i}'):
            end(pid)


class Ray:
    """Ray, with two nodes on this machine, run by a Python that has it. It listens on all addresses without a password: see enter."""

    def __init__(self, python, bin):
        self.python, self.nodes = python, 0
        self.env = {**keys, 'PATH': f'{bin}:{os.path.dirname(python)}:{os.environ["PATH"]}', 'RAY_USAGE_STATS_ENABLED': '0', 'RAY_TMPDIR': home,
                    'RAY_DISABLE_IMPORT_WARNING': '1'}
        self.node('--head', '--port=6379', '--include-dashboard=false')
        late = time.time() + 240
        while subprocess.run([python, '-c', 'import ray; ray.init(address="127.0.0.1:6379", log_to_driver=False)'], capture_output=True,
                             env={**os.environ, **self.env}, timeout=200).returncode:
            check(time.time() < late, 'Ray does not come up')
        self.node('--address=127.0.0.1:6379')

    def node(self, *args):
        start(f'ray{self.nodes}', [f'{os.path.dirname(self.python)}/ray', 'start', '--block', '--num-cpus=2', '--node-ip-address=127.0.0.1',
                                   '--disable-usage-stats', *args], **self.env)
        self.nodes += 1

    def lose(self):
        """Makes the newest node fail, and starts another one."""
        kill(f'ray{self.nodes - 1}')
        self.node('--address=127.0.0.1:6379')
