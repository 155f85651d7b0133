#!/usr/bin/env python3
"""Checks what can be checked of this folder without its services.

usage: check.py BSP2GLTF FOLDER-OF-MAPS [SCHEMAS]

slurm.sh runs as an array of three with SLURM's variables; the Indexed Job's command runs
once for each index; the container's program runs alone in an empty root without rights. Each must convert every map once, with
the bytes of a single batch. SCHEMAS is a folder of Python programs (check-jsonschema, kubernetes-validate, cfn-lint, Python with hera): with it the YAML
files are held against Compose's and Kubernetes' schemas.
"""
import os, shutil, subprocess, sys
import lab
from lab import check, here, home, tree

program, maps = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def run(what, args, **options):
    p = subprocess.run(args, capture_output=True, text=True, timeout=900, **options)
    check(p.returncode == 0, f'{what}: exit {p.returncode}: {p.stderr[-500:]}')


def slurm(want):
    os.makedirs(f'{home}/bin')
    os.symlink(program, f'{home}/bin/bsp2gltf')
    for i in range(3):
        env = dict(os.environ, PATH=f'{home}/bin:{os.environ["PATH"]}', USER='me', SLURM_TMPDIR=home, SLURM_CPUS_PER_TASK='2',
                   SLURM_ARRAY_TASK_ID=str(i), SLURM_ARRAY_TASK_COUNT='3', SLURM_ARRAY_TASK_MIN='0', SLURM_ARRAY_TASK_MAX='2')
        run(f'slurm.sh, task {i}', ['bash', f'{here}/slurm.sh', maps, f'{home}/slurm'], env=env)
    check(tree(f'{home}/slurm') == want, 'the parts of slurm.sh are not the whole')
    print('ok: slurm.sh as an array of three (ways-test.py runs SLURM itself)')


def indexed(want):
    try:
        import yaml
    except ImportError:
        print('skip: the Indexed Job: no module yaml')
        return
    with open(f'{here}/kubernetes/indexed-job.yaml') as f:
        job = yaml.safe_load(f)['spec']
    args = job['template']['spec']['containers'][0]['args']
    places = {'/maps': maps, '/out': f'{home}/indexed', '/scratch': f'{home}/scratch'}
    for i in range(job['completions']):
        run(f'the Indexed Job, index {i}', [program] + [places.get(a, a) for a in args], env={**os.environ, 'JOB_COMPLETION_INDEX': str(i)})
    check(tree(f'{home}/indexed') == want, 'the parts of the Indexed Job are not the whole')
    print(f'ok: the Indexed Job\'s command for {job["completions"]} indexes (Kubernetes itself was not run)')


def container(_):
    if os.geteuid() != 0:
        print('skip: the container: only root may change the root')
        return
    root = f'{home}/root'
    os.makedirs(f'{root}/maps')
    for name in ('out', 'tmp'):
        os.makedirs(f'{root}/{name}')
        os.chown(f'{root}/{name}', 65532, 65532)
    shutil.copytree(maps, f'{root}/maps', dirs_exist_ok=True)
    run('a batch', [program, '-q', 'batch', f'{root}/maps', '-o', f'{home}/alone'])  # what lies around the maps is not there
    run('the program of the container', ['go', 'build', '-trimpath', '-ldflags=-s -w', '-o', f'{root}/bsp2gltf', '.'],
        cwd=f'{os.path.dirname(here)}/cmd/bsp2gltf-queue', env=dict(os.environ, CGO_ENABLED='0'))
    for args in ['batch', '/maps', '-o', '/out'], ['batch', '/maps', '-o', 'file:///tmp/stored']:
        p = subprocess.run(['/usr/sbin/chroot', '--userspec=65532:65532', root, '/bsp2gltf', *args], capture_output=True, text=True, timeout=300,
                           env={'HOME': '/tmp', 'XDG_CACHE_HOME': '/tmp'})
        check(p.returncode == 0, f'in an empty root: {args}: exit {p.returncode}: {p.stderr[-500:]}')
    check(tree(f'{root}/out') == tree(f'{home}/alone') == tree(f'{root}/tmp/stored'), 'in an empty root there are other outputs')
    print('ok: the container\'s program alone in an empty root, as user 65532 (no container was built)')


# Argo's schema as Python's classes, which leave out what they don't know.
argo = '''
import sys, yaml
from hera.workflows.models import Workflow
def lost(given, kept):
    if isinstance(given, dict):
        return [k for k in given if k not in kept or lost(given[k], kept[k])]
    return isinstance(given, list) and any(lost(a, b) for a, b in zip(given, kept))
given = yaml.safe_load(open(sys.argv[1]))
if unknown := lost(given, Workflow.model_validate(given).model_dump(by_alias=True, exclude_none=True, mode="json")):
    sys.exit(f"unknown: {unknown}")
'''


def schemas(folder):
    if not os.path.exists(f'{folder}/kubernetes-validate'):
        print(f'skip: the schemas: {folder} has no kubernetes-validate')
        return
    run('compose.yaml', [f'{folder}/check-jsonschema', '--builtin-schema', 'vendor.compose-spec', f'{here}/compose.yaml'])
    for name in sorted(os.listdir(f'{here}/kubernetes')):
        run(name, [f'{folder}/kubernetes-validate', '--strict', f'{here}/kubernetes/{name}'])
    print('ok: compose.yaml is of Compose\'s schema, kubernetes/*.yaml of Kubernetes\'')
    run('aws-batch.yaml', [f'{folder}/cfn-lint', f'{here}/aws-batch.yaml'])
    run('argo.yaml', [f'{folder}/python', '-c', argo, f'{here}/argo.yaml'])
    print('ok: aws-batch.yaml is of CloudFormation\'s schema, argo.yaml of Argo\'s (neither was run)')


run('a batch', [program, '-q', 'batch', maps, '-o', f'{home}/whole'])
whole = tree(f'{home}/whole')
check(whole, f'no outputs of {maps}')
for part in slurm, indexed, container:
    part(whole)
if len(sys.argv) > 3:
    schemas(sys.argv[3])
lab.finish()
