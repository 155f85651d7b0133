#!/usr/bin/env python3
"""slurm.sh as an array over many maps on a SLURM that this test starts: two nodes on this machine, tasks killed and requeued.

usage: slurm-test.py BSP2GLTF FOLDER-OF-MAPS [MAPS [STORE]]

It needs Debian's slurm-wlm and munge, and root. While the array runs, a worker process and a task are killed, a task is requeued, and a
node is killed and started again. Afterwards every map must have one record and the bytes of a batch on one machine. With STORE, a
versitygw, maps and outputs are in an S3 server, which is killed as well.
"""
import hashlib, json, os, random, shutil, signal, subprocess, sys, tempfile, time

program, maps = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
count = int(sys.argv[3]) if len(sys.argv) > 3 else 300
gateway = os.path.abspath(sys.argv[4]) if len(sys.argv) > 4 else None
here = os.path.dirname(os.path.abspath(__file__))
lab = tempfile.mkdtemp(prefix='slurm-')
base = 25000 + os.getpid() % 500 * 8
shards = 8
running = {}


def check(ok, what):
    if not ok:
        raise SystemExit(f'FAIL {what} (logs in {lab})')


def start(name, args, **env):
    log = open(f'{lab}/{name}.log', 'ab')
    running[name] = subprocess.Popen(args, stdout=log, stderr=log, env={**os.environ, **env}, start_new_session=True)


def kill(name):
    p = running.pop(name)
    try:
        os.killpg(p.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    p.wait()


conf = {**os.environ, 'SLURM_CONF': f'{lab}/slurm.conf'}


def slurm(*args, wait=60):
    r = subprocess.run(args, capture_output=True, text=True, env=conf, timeout=wait)
    check(r.returncode == 0, f'{args}: {r.stderr}')
    return r.stdout.strip()


def node(i):
    start(f'n{i}', ['slurmd', '-D', '-N', f'n{i}', '-f', f'{lab}/slurm.conf'], SLURM_CONF=f'{lab}/slurm.conf')


def cluster():
    """Starts munge's key service, the controller and two nodes."""
    os.chmod(lab, 0o755)
    for d in ('state', 'spool0', 'spool1', 'munge'):
        os.makedirs(f'{lab}/{d}')
    with open(f'{lab}/munge/key', 'wb') as f:
        f.write(os.urandom(1024))
    os.chmod(f'{lab}/munge/key', 0o600)
    start('munged', ['munged', '--foreground', '--force', f'--key-file={lab}/munge/key', f'--socket={lab}/munge/socket', f'--pid-file={lab}/munge/pid',
                     f'--log-file={lab}/munge/log', f'--seed-file={lab}/munge/seed'])
    host = os.uname().nodename
    with open(f'{lab}/slurm.conf', 'w') as f:
        f.write(f'''ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={base}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={lab}/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={lab}/state
SlurmdSpoolDir={lab}/spool%n
SlurmctldPidFile={lab}/ctld.pid
SlurmdPidFile={lab}/%n.pid
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
NodeName=n0 NodeHostname={host} NodeAddr=127.0.0.1 Port={base + 1} CPUs=2 RealMemory=4000
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={base + 2} CPUs=2 RealMemory=4000
PartitionName=all Nodes=n0,n1 Default=YES MaxTime=INFINITE State=UP
''')
    for d in ('spooln0', 'spooln1'):
        os.makedirs(f'{lab}/{d}')
    time.sleep(1)
    start('ctld', ['slurmctld', '-D', '-c', '-f', f'{lab}/slurm.conf'], SLURM_CONF=f'{lab}/slurm.conf')
    node(0)
    node(1)
    end = time.time() + 60
    while subprocess.run(['sinfo', '-h', '-o', '%t'], capture_output=True, text=True, env=conf).stdout.split() not in (['idle'], ['idle', 'idle']):
        check(time.time() < end, 'the nodes do not come up')
        time.sleep(0.3)


def tree(folder):
    found = {}
    for d, dirs, files in os.walk(folder):
        dirs[:] = [x for x in dirs if x != '.bsp2gltf']
        for f in files:
            with open(os.path.join(d, f), 'rb') as data:
                found[os.path.relpath(os.path.join(d, f), folder)] = hashlib.sha256(data.read()).hexdigest()
    return found


def prepare():
    sources = sorted(os.path.join(d, f) for d, _, files in os.walk(maps) for f in files if f.endswith('.bsp'))
    os.makedirs(f'{lab}/s3/maps-in')
    os.makedirs(f'{lab}/s3/maps-out')
    for n in range(count):
        shutil.copyfile(sources[n % len(sources)], f'{lab}/s3/maps-in/m{n:04}.bsp')


def of(pid, what):
    """The words of a process's command line or environment; none if it has ended."""
    try:
        with open(f'/proc/{pid}/{what}', 'rb') as f:
            return f.read().decode(errors='replace').split('\0')
    except OSError:
        return ['']


def processes(word, node=''):
    """The processes of this test's tasks whose command has a word, on a node."""
    found = []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        words, env = of(pid, 'cmdline'), of(pid, 'environ')
        if 'bsp2gltf' in words[0] and word in words and f'SLURM_CONF={lab}/slurm.conf' in env and (not node or f'SLURMD_NODENAME={node}' in env):
            found.append(int(pid))
    return found


def end(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def s3():
    start('s3', [gateway, '--port', f'127.0.0.1:{base + 5}', 'posix', f'{lab}/s3'], ROOT_ACCESS_KEY='key', ROOT_SECRET_KEY='secret')


def run():
    prepare()
    cluster()
    os.makedirs(f'{lab}/bin')
    for name in ('bsp2gltf', 'bsp2gltf-queue'):
        if os.path.exists(os.path.join(os.path.dirname(program), name)):
            os.symlink(os.path.join(os.path.dirname(program), name), f'{lab}/bin/{name}')
    place_in, place_out, env = f'{lab}/s3/maps-in', f'{lab}/s3/maps-out', {}
    if gateway:
        s3()
        query = f'?region=us-east-1&endpoint=http://127.0.0.1:{base + 5}&use_path_style=true&disable_https=true'
        place_in, place_out = f's3://maps-in/*.bsp{query}', f's3://maps-out{query}'
        env = {'AWS_ACCESS_KEY_ID': 'key', 'AWS_SECRET_ACCESS_KEY': 'secret'}
    conf.update(env, PATH=f'{lab}/bin:{os.environ["PATH"]}', SLURM_TMPDIR=lab, XDG_CACHE_HOME=f'{lab}/cache')
    began = time.time()
    job = slurm('sbatch', '--parsable', f'--array=0-{shards - 1}', '-o', f'{lab}/task-%a.log', '--open-mode=append', f'{here}/slurm.sh', place_in, place_out)
    plan, steps = ['worker', 'task', 'requeue', 'node', *(['s3'] if gateway else [])], 0
    back = []
    while True:
        check(time.time() - began < 900, 'not done within 15 minutes')
        left = slurm('squeue', '-h', '-r', '-o', '%K %t').splitlines()
        for b in [b for b in back if time.time() > b[0]]:
            b[1]()
            back.remove(b)
        done = sum(f.endswith('.glb') for f in os.listdir(f'{lab}/s3/maps-out'))
        active = [x.split()[0] for x in left if x.endswith(' R')]
        if plan and active:
            if done < count * (steps + 1) // 9:
                time.sleep(0.1)
                continue
            step = plan.pop(0)
            steps += 1
            print(f'{time.time() - began:5.1f} s, {done} outputs: kill the {step}' if step != 'requeue' else f'{time.time() - began:5.1f} s: requeue a task', flush=True)
            if step in ('worker', 'task'):
                pids = processes('--pipe' if step == 'worker' else '--shard')
                check(pids, f'no process of a {step}')
                end(random.choice(pids))
            elif step == 'requeue':
                slurm('scontrol', 'requeue', f'{job}_{random.choice(active)}')
            elif step == 'node':
                kill('n1')
                for pid in processes('batch', 'n1') + processes('worker', 'n1'):
                    end(pid)
                back.append((time.time() + 3, lambda: node(1)))
            else:
                kill('s3')
                back.append((time.time() + 5, s3))
        elif not left:
            break
        time.sleep(0.2)
    took = time.time() - began
    for b in back:
        b[1]()
    # What was killed for good is finished by the same command.
    again = slurm('sbatch', '--parsable', '--wait', f'--array=0-{shards - 1}', '-o', f'{lab}/again-%a.log', f'{here}/slurm.sh', place_in, place_out, wait=600)
    check(again, 'the array again')
    subprocess.run([program, '-q', 'batch', f'{lab}/s3/maps-in', '-o', f'{lab}/alone'], check=True, timeout=900)
    want, got = tree(f'{lab}/alone'), tree(f'{lab}/s3/maps-out')
    check(want == got, f'outputs: {len(got)}, not {len(want)}: {sorted(set(want) ^ set(got))[:9]}')
    report = subprocess.run([program, 'batch', 'report', place_out], capture_output=True, text=True, env={**conf, **env}, timeout=120)
    records = [json.loads(line) for line in report.stdout.splitlines()]
    check(len(records) == count and not any(r.get('reason') for r in records), f'{len(records)} records; {report.stderr}')
    where = 'in a store' if gateway else 'in a folder'
    print(f'ok: SLURM {slurm("sinfo", "--version").split()[-1]}: {count} maps {where}, {shards} tasks on 2 nodes, killed and requeued: {took:.0f} s, one record each, the bytes of one machine')


try:
    run()
    shutil.rmtree(lab)
finally:
    for pid in processes('batch') + processes('worker'):
        end(pid)
    for name in list(running):
        kill(name)
