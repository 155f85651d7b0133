"""Imports maps in Blender's window: the run in the background, an archive's list of maps, cancel and undo.

usage: xvfb-run -a -s "-screen 0 1280x800x24" blender --factory-startup --enable-event-simulate -noaudio
       -P blender_window_test.py -- ADDON.zip
       BSP2GLTF [--shots DIR] [--bake: only the bake, and a map imported again] [--map MAP or ARCHIVE:MAP: only pictures of it]
Needs Blender 3.4 or later with a window. Everything runs in timers, as between two events of a user.
"""

import os
import sys
import tempfile
import time
import traceback
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_check as check  # noqa: E402

import bpy  # noqa: E402

DEMO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata", "demo", "maps", "demo.bsp")
PATIENCE = 500 if "--map" in sys.argv else 240  # seconds for everything
failures: list[str] = []
args = check.arguments()
folder = tempfile.TemporaryDirectory()
tempfile.tempdir = folder.name  # only our leftovers are here: other programs have files in the system's folder


def expect(ok: bool, message: str) -> None:
    if not ok:
        failures.append(message)


def module(name: str):
    return next(m for k, m in sys.modules.items() if k.endswith("bsp2gltf_lightmaps." + name))


def preferences():
    return next(a for k, a in bpy.context.preferences.addons.items() if k.endswith("bsp2gltf_lightmaps")).preferences


def in_view():
    """A context like a user's, in the largest area."""
    window = bpy.context.window_manager.windows[0]
    area = max(window.screen.areas, key=lambda a: a.width * a.height)
    return bpy.context.temp_override(window=window, area=area, region=next(r for r in area.regions if r.type == "WINDOW"))


def idle() -> bool:
    queue = module("import_queue").Queue
    return not queue.running and not queue.wanted


def wait_for(condition, message: str, seconds: float = 60):
    """Lets the window run until a condition is true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            expect(False, message)
            return
        yield 0.02


def shot(name: str):
    """Takes a picture of the window after it was redrawn."""
    if "--shots" not in args:
        return
    path = os.path.join(args[args.index("--shots") + 1], name + ".png")
    yield 0.3
    with in_view():
        bpy.ops.screen.screenshot(filepath=path)
    yield 0.1


def slow_program() -> str:
    """A program that takes three seconds for a map, like a large map, and reports its stages."""
    path = os.path.join(folder.name, "bsp2gltf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\ncase $1 in --version | info | games) ;; *) echo "stage 2 of 5: decoding" >&2; sleep 3 ;; esac\nexec "{os.path.abspath(args[1])}" "$@"\n')
    os.chmod(path, 0o755)
    return path


def steps():
    """The test. Yields the seconds until it continues."""
    check.install(os.path.abspath(args[0]))
    preferences().bsp2gltf = slow_program()
    preferences().set_up_new_scene = False
    if "--shots" not in args:  # without a graphics card drawing takes seconds, and it is not what is measured
        with in_view():
            bpy.context.area.type = "TEXT_EDITOR"
    yield 0.5

    # A map is imported while the window runs: only a timer checks the program.
    before = len(bpy.data.objects)
    began = time.monotonic()
    with in_view():
        expect(bpy.ops.import_scene.bsp2gltf("EXEC_DEFAULT", filepath=DEMO) == {"FINISHED"}, "the import does not start")
    expect(time.monotonic() - began < 0.5, f"starting blocks the window for {time.monotonic() - began:.1f} s")
    ticks, last = [], time.monotonic()
    yield from wait_for(lambda: not idle() and module("import_queue").Queue.status, "no run", 10)
    while not idle() and time.monotonic() - began < 60:
        yield 0.02
        ticks.append((time.monotonic() - last, module("import_queue").Queue.status))
        last = time.monotonic()
    converting = [t for t, status in ticks if "converting" in status]
    expect(len(converting) > 10 and max(converting[1:]) < 1, f"the window stands still: {max(converting, default=9):.2f} s")
    expect(any("2 of 5 (decoding)" in status for _, status in ticks), "the status bar does not say which stage the conversion is at")
    expect("demo" in bpy.data.collections and len(bpy.data.objects) > before + 30, "the map did not arrive")
    print(f"ok the window went on {len(converting)} times while a map was converted, {max(converting[1:], default=0) * 1000:.0f} ms apart at most")
    yield from shot("imported")

    # Undo removes all of it.
    with in_view():
        bpy.ops.ed.undo()
    yield 0.2
    expect(len(bpy.data.objects) == before, f"after undo there are {len(bpy.data.objects)} objects, before {before}")
    with in_view():
        bpy.ops.ed.redo()
    yield 0.2
    expect(len(bpy.data.objects) > before + 30, "redo does not bring the map back")
    with in_view():
        bpy.ops.ed.undo()
    yield 0.2

    # Cancel: nothing is imported, nothing is left.
    with in_view():
        bpy.ops.import_scene.bsp2gltf("EXEC_DEFAULT", filepath=DEMO)
    yield from wait_for(lambda: module("import_queue").Queue.running, "no run to cancel", 10)
    yield 0.4
    with in_view():
        bpy.ops.bsp2gltf.cancel()
    yield from wait_for(idle, "cancel does not end the run", 10)
    yield 0.3
    expect(len(bpy.data.objects) == before, "a cancelled map has arrived")
    left = [n for n in os.listdir(tempfile.gettempdir()) if n.startswith("bsp2gltf-")]
    expect(not left, f"left behind: {left}")

    # An archive: its maps are listed, and the ticked ones are imported.
    archive = os.path.join(folder.name, "maps.pk3")
    with zipfile.ZipFile(archive, "w") as z:
        for name in ("one", "two", "three"):
            z.write(DEMO, f"maps/{name}.bsp")
    with in_view():
        bpy.ops.import_scene.bsp2gltf("EXEC_DEFAULT", filepath=archive)
    yield 1
    yield from shot("archive")
    listed = bpy.context.window_manager.bsp2gltf_maps
    names = [m.name for m in listed]
    expect(names == ["maps/one.bsp", "maps/three.bsp", "maps/two.bsp"], f"the archive's maps are listed as {names}")
    for m in listed:
        m.wanted = "three" not in m.name
    with in_view():
        bpy.ops.bsp2gltf.archive("EXEC_DEFAULT", archive=archive)
    yield from wait_for(idle, "the archive's maps do not end")
    yield from wait_for(lambda: "two" in bpy.data.collections and idle(), "the archive's maps did not arrive", 30)
    expect("one" in bpy.data.collections and "three" not in bpy.data.collections, "not the maps that were ticked")

    # A map that can't be read: a message, and the next one is imported.
    broken = os.path.join(folder.name, "broken.bsp")
    with open(broken, "wb") as file:
        file.write(b"no map")
    objects = len(bpy.data.objects)
    os.symlink(os.path.abspath(DEMO), os.path.join(folder.name, "last.bsp"))
    with in_view():
        bpy.ops.import_scene.bsp2gltf("EXEC_DEFAULT", directory=folder.name, files=[{"name": "broken.bsp"}, {"name": "last.bsp"}])
    yield from wait_for(lambda: "last" in bpy.data.collections and idle(), "behind a broken map nothing comes", 30)
    expect(len(bpy.data.objects) > objects and "bsp2gltf broken" in bpy.data.texts, "nothing tells of the broken map")
    if "--enable-event-simulate" in sys.argv:
        yield from by_menu()


def baking():
    """Bake Light for Export while the window runs, and cancelled; importing a map again asks first."""
    check.install(os.path.abspath(args[0]))
    preferences().bsp2gltf = os.path.abspath(args[1])
    with in_view():
        bpy.context.area.type = "TEXT_EDITOR"  # without a graphics card drawing takes seconds
        bpy.ops.import_scene.bsp2gltf("EXEC_DEFAULT", filepath=DEMO)
    yield from wait_for(lambda: "demo" in bpy.data.collections and idle(), "the map did not arrive", 60)
    objects = len(bpy.data.objects)

    def copies() -> list:
        return [c for c in bpy.data.collections if c.get("bsp2gltf_export")]

    def layer(name: str):
        return next(c for c in bpy.context.view_layer.layer_collection.children if c.name == name)

    for cancelled in (True, False):
        with in_view():
            bpy.ops.bsp2gltf.bake_light("EXEC_DEFAULT", size="4096" if cancelled else "1024", folder=folder.name)
        said, end = 0, time.monotonic() + 200
        while time.monotonic() < end and module("bake").BSP2GLTF_OT_bake_light.running:
            yield 0.02
            if "drawing" in module("bake").BSP2GLTF_OT_bake_light.doing:
                said += 1
                if cancelled and said == 5:
                    yield from key("ESC", 400, 400)
        expect(said >= 5, f"the window went on {said} times while Cycles baked")
        yield 1
        if cancelled:
            expect(not copies() and len(bpy.data.objects) == objects and not layer("demo").exclude and len(bpy.data.scenes) == 1,
                   f"a cancelled bake leaves {[c.name for c in copies()]}, {len(bpy.data.objects) - objects} objects")
        else:
            made = [o for c in copies() for o in c.objects]
            expect(layer("demo").exclude and len(made) > 3 and all(o.select_get() for o in made), f"baked {len(made)} objects")
            pictures = [n for n in os.listdir(folder.name) if n.endswith("World.png")]
            expect(len(pictures) == 1, f"pictures: {os.listdir(folder.name)}")
            print(f"ok the window went on {said} times while Cycles baked, and Esc ended it")
    layer("demo").exclude = False

    objects = len(bpy.data.objects)
    for answer, more in (("REPLACE", 0), ("ADD", 43)):
        with in_view():
            bpy.ops.import_scene.bsp2gltf("EXEC_DEFAULT", filepath=DEMO)
        yield 1
        expect(len(module("import_queue").Queue.asked) == 1 and idle(), f"it does not ask: {module('import_queue').Queue.asked}")
        yield from shot("again " + answer)
        with in_view():
            bpy.ops.bsp2gltf.again("EXEC_DEFAULT", answer=answer)
        yield 0.5
        yield from wait_for(lambda: idle() and not module("import_queue").Queue.asked, "the map that was asked about does not come", 60)
        expect(len(bpy.data.objects) == objects + more, f"{answer}: {len(bpy.data.objects)} objects, before {objects}")
        yield from key("ESC", 30, 30)  # the dialog


def key(name: str, x: int, y: int):
    """Presses and releases a key or button."""
    window = bpy.context.window_manager.windows[0]
    window.event_simulate("MOUSEMOVE", "NOTHING", x=x, y=y)
    yield 0.2
    window.event_simulate(name, "PRESS", x=x, y=y)
    yield 0.1
    window.event_simulate(name, "RELEASE", x=x, y=y)
    yield 0.5


def by_menu():
    """File > Import > Game map (.bsp), with mouse and keys: the file browser shows our options, and its button imports."""
    os.symlink(os.path.abspath(DEMO), os.path.join(folder.name, "menu.bsp"))
    top = bpy.context.window_manager.windows[0].height
    yield from key("ESC", 46, top // 2)  # the archive's list of maps, which is still open
    yield from key("LEFTMOUSE", 46, top - 14)
    yield from key("I", 46, top - 20)
    yield from key("B", 46, top - 20)  # underlined: Game map (.bsp)

    def browsers():
        return [(w, a) for w in bpy.context.window_manager.windows for a in w.screen.areas if a.type == "FILE_BROWSER"]
    yield from wait_for(browsers, "the menu does not open the file browser", 10)
    if not browsers():
        return
    window, area = browsers()[0]
    name = area.spaces.active.active_operator.bl_idname
    expect(name == "IMPORT_SCENE_OT_bsp2gltf", f"the menu opens {name}")
    area.spaces.active.params.directory, area.spaces.active.params.filename = folder.name.encode(), "menu.bsp"
    yield 0.5
    with bpy.context.temp_override(window=window, area=area, region=area.regions[-1]):
        bpy.ops.file.execute()
    yield from wait_for(lambda: "menu" in bpy.data.collections and idle(), "the map that was chosen in the menu's browser did not arrive")
    print("ok File > Import > Game map (.bsp), with mouse and keys")


def pictures():
    """Pictures of one map: solid, Material Preview, rendered by EEVEE, the camera's view, the Import menu."""
    check.install(os.path.abspath(args[0]))
    preferences().bsp2gltf = os.path.abspath(args[1])
    yield 0.5
    with in_view():
        bpy.ops.import_scene.bsp2gltf("EXEC_DEFAULT", filepath=args[args.index("--map") + 1])
    yield 1
    yield from wait_for(idle, "the map does not come", 300)
    space = next(a for a in bpy.context.window_manager.windows[0].screen.areas if a.type == "VIEW_3D").spaces.active
    space.shading.type = "SOLID"
    yield from shot("solid")
    space.shading.type = "MATERIAL"
    space.show_region_ui = True
    yield 1
    yield from shot("shaders")
    yield 150  # without a graphics card each shader takes a second
    yield from shot("material")
    space.region_3d.view_perspective = "CAMERA"
    yield from shot("camera")
    space.shading.type = "RENDERED"
    yield 60
    yield from shot("rendered")
    for top in bpy.data.collections:
        print("ok collection", top.name, len(top.objects), [c.name for c in top.children])


def run(generator):
    def go():
        try:
            if time.monotonic() > deadline:
                raise TimeoutError(f"not done within {PATIENCE} s")
            return next(generator)
        except StopIteration:
            pass
        except Exception:
            failures.append(traceback.format_exc())
        for failure in failures:
            print("FAIL window", failure)
        if not failures:
            print(f"ok Blender {bpy.app.version_string}: import in the window, list, cancel, undo", flush=True)
        folder.cleanup()
        sys.stdout.flush()
        os._exit(1 if failures else 0)

    deadline = time.monotonic() + PATIENCE
    bpy.context.preferences.view.show_splash = False
    bpy.app.timers.register(go, first_interval=1.0)


run(pictures() if "--map" in args else baking() if "--bake" in args else steps())
