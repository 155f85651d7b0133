# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""The sidebar's tab: the switch between baked light and lamps, its strength, HDR, and display settings."""

import bpy

from . import ambient, world_sky, arrange, bake, fog, groups, hdr, import_queue, mixed, model_parts, options, sky


class BSP2GLTF_OT_baked_light(bpy.types.Operator):
    """Switch all imported maps between their baked light and the lights of the scene"""

    bl_idname = "bsp2gltf.baked_light"
    bl_label = "Baked Light"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return bool(groups.switches())

    def execute(self, context):
        switches = groups.switches()
        value = 0.0 if groups.value(switches[0], "Baked").default_value else 1.0
        for group in switches:
            groups.value(group, "Baked").default_value = value
        return {"FINISHED"}


class BSP2GLTF_OT_fog(bpy.types.Operator):
    """Show the fog by distance of all imported maps, or not"""

    bl_idname = "bsp2gltf.fog"
    bl_label = "Fog"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return any(g.get(groups.KIND) == fog.NAME for g in bpy.data.node_groups) and any("Fog" in g.nodes for g in groups.switches())

    def execute(self, context):
        switches = [g for g in groups.switches() if "Fog" in g.nodes]
        value = 0.0 if groups.value(switches[0], "Fog").default_value else 1.0
        for group in switches:
            groups.value(group, "Fog").default_value = value
        return {"FINISHED"}


class BSP2GLTF_OT_mixed(bpy.types.Operator):
    """Light the maps by lamps that you add, on top of their baked light. The maps' own lamps light your objects only"""

    bl_idname = "bsp2gltf.mixed_light"
    bl_label = "Baked and My Lights"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return any("Lamps" in g.nodes for g in groups.switches())

    def execute(self, context):
        mixed.switch(context.scene, not mixed.is_on())
        return {"FINISHED"}


class BSP2GLTF_OT_hdr(bpy.types.Operator):
    """Show the light of the OpenEXR pages that lie beside the map's file, or go back to the pages in the file"""

    bl_idname = "bsp2gltf.hdr"
    bl_label = "HDR Light"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return bool(hdr.lit_materials())

    def execute(self, context):
        if hdr.in_use():
            hdr.leave()
            return {"FINISHED"}
        shown, wrong = hdr.use()
        if wrong:
            self.report({"WARNING"}, wrong[0] + (f", and {len(wrong) - 1} more" if wrong[1:] else ""))
        return {"FINISHED"} if shown else {"CANCELLED"}


class BSP2GLTF_OT_standard_view(bpy.types.Operator):
    """Use the Standard view transform: colours as in the game, instead of a film's"""

    bl_idname = "bsp2gltf.standard_view"
    bl_label = "Colours as in the Game"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        context.scene.view_settings.view_transform = "Standard"
        return {"FINISHED"}


class BSP2GLTF_OT_show(bpy.types.Operator):
    """Turn Solid 3D views to Material Preview"""

    bl_idname = "bsp2gltf.show"
    bl_label = "Show in the 3D Views"

    def execute(self, context):
        arrange.show_in_viewports()
        return {"FINISHED"}


class BSP2GLTF_OT_frame(bpy.types.Operator):
    """Turn the 3D view to all maps, without their skies"""

    bl_idname = "bsp2gltf.frame"
    bl_label = "Frame the Map"

    def execute(self, context):
        box = arrange.bounds(context.scene.objects)
        view = getattr(context.space_data, "region_3d", None)
        if box is None or view is None:
            return {"CANCELLED"}
        context.space_data.clip_end = max(context.space_data.clip_end, (box[1] - box[0]).length * 2)
        arrange.frame(view, box)
        return {"FINISHED"}


class BSP2GLTF_OT_world_from_sky(bpy.types.Operator):
    """Give the world the mean colour of the sky's images, to light the scene with"""

    bl_idname = "bsp2gltf.world_from_sky"
    bl_label = "World from Sky"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        if not sky.world_from_sky(context.scene, [o for o in context.scene.objects if sky.is_sky(o)]):
            self.report({"WARNING"}, "The scene has no sky with images")
            return {"CANCELLED"}
        return {"FINISHED"}


class BSP2GLTF_OT_sky_around(bpy.types.Operator):
    """Show the sky as the background of the world, without parallax as in the game, or as the box around the map"""

    bl_idname = "bsp2gltf.sky_around"
    bl_label = "Sky around the Eye"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return world_sky.shown(context.scene) or any(sky.is_sky(o) for o in context.scene.objects)

    def execute(self, context):
        skies = [o for o in context.scene.objects if sky.is_sky(o)]
        if world_sky.shown(context.scene):
            world_sky.leave(context.scene, skies)
        elif not sky.around_the_eye(context.scene, skies, options.get().sky_camera_only):
            self.report({"WARNING"}, "The sky is neither a box nor a dome of clouds with textures")
            return {"CANCELLED"}
        return {"FINISHED"}


def sky_in_views(scene) -> bool:
    """Reports whether Material Preview shows the sky: by the scene's world, or by the sky's mesh."""
    if world_sky.shown(scene):
        return any(space.shading.use_scene_world for space in arrange.views())
    return any(sky.is_sky(o) and o.display_type != "BOUNDS" for o in scene.objects)


class BSP2GLTF_OT_sky(bpy.types.Operator):
    """Show the skies in the 3D views, or as the box around them; renders have them anyway. A sky around the eye is there with the scene's world"""

    bl_idname = "bsp2gltf.sky"
    bl_label = "Sky in the 3D Views"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return world_sky.shown(context.scene) or any(sky.is_sky(o) for o in context.scene.objects)

    def execute(self, context):
        skies = [o for o in context.scene.objects if sky.is_sky(o)]
        if world_sky.shown(context.scene):
            shown = sky_in_views(context.scene)
            for space in arrange.views():
                space.shading.use_scene_world = not shown
            return {"FINISHED"}
        hidden = skies[0].display_type == "BOUNDS"
        for obj in skies:
            obj.display_type = "TEXTURED" if hidden else "BOUNDS"
        return {"FINISHED"}


class BSP2GLTF_OT_mark_assets(bpy.types.Operator):
    """Mark one object of each prop's model as an asset of this file"""

    bl_idname = "bsp2gltf.mark_assets"
    bl_label = "Mark Props as Assets"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        marked = arrange.mark_assets(o for o in context.scene.objects if arrange.lies_in(o, arrange.PROPS, arrange.SKYBOX))
        self.report({"INFO"}, f"{marked} models are assets")
        return {"FINISHED"} if marked else {"CANCELLED"}


class BSP2GLTF_PT_panel(bpy.types.Panel):
    bl_label = "Game Maps"
    bl_idname = "BSP2GLTF_PT_panel"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "bsp2gltf"

    def draw(self, context):
        layout = self.layout
        layout.operator("import_scene.bsp2gltf", text="Import a Game Map…", icon="IMPORT")
        import_queue.draw_status(layout)
        model_parts.draw(layout, context.object)
        switches = groups.switches()
        if not switches:
            return
        on = bool(groups.value(switches[0], "Baked").default_value)
        layout.operator("bsp2gltf.baked_light", depress=on, icon="LIGHT_SUN")
        column = layout.column()
        column.active = on
        for group in switches:
            column.prop(groups.value(group, "Strength"), "default_value", text="Strength")
        if BSP2GLTF_OT_mixed.poll(context):
            column.operator("bsp2gltf.mixed_light", depress=mixed.is_on(), icon="OUTLINER_OB_LIGHT")
            layout.operator("bsp2gltf.relight", icon="LIGHT")
            for group in [g for g in switches if "Shadows" in g.nodes]:
                column.prop(groups.value(group, "Shadows"), "default_value", text="Contact Shadows", slider=True)
        if BSP2GLTF_OT_fog.poll(context):
            foggy = next(g for g in switches if "Fog" in g.nodes)
            layout.operator("bsp2gltf.fog", depress=bool(groups.value(foggy, "Fog").default_value), icon="FORCE_TURBULENCE")
        if hdr.lit_materials():
            column.operator("bsp2gltf.hdr", depress=hdr.in_use(), icon="IMAGE_DATA")
        if context.space_data.shading.type == "SOLID":
            layout.operator("bsp2gltf.show", icon="SHADING_TEXTURE")
        if context.scene.view_settings.view_transform != "Standard":
            layout.operator("bsp2gltf.standard_view", icon="COLOR")
        layout.operator("bsp2gltf.frame", icon="ZOOM_ALL")
        if BSP2GLTF_OT_sky_around.poll(context):
            layout.operator("bsp2gltf.sky", depress=sky_in_views(context.scene), icon="MESH_CUBE")
            layout.operator("bsp2gltf.sky_around", depress=world_sky.shown(context.scene), icon="WORLD_DATA")
            layout.operator("bsp2gltf.world_from_sky", icon="WORLD")
        if ambient.lights():
            layout.operator("bsp2gltf.light_objects", icon="OUTLINER_OB_LIGHTPROBE")
        layout.operator("bsp2gltf.mark_assets", icon="ASSET_MANAGER")
        layout.operator("bsp2gltf.bake_light", text="Bake Light for Export…", icon="EXPORT")


CLASSES = (
    BSP2GLTF_OT_baked_light,
    BSP2GLTF_OT_fog,
    BSP2GLTF_OT_mixed,
    BSP2GLTF_OT_hdr,
    BSP2GLTF_OT_standard_view,
    BSP2GLTF_OT_show,
    BSP2GLTF_OT_frame,
    BSP2GLTF_OT_world_from_sky,
    BSP2GLTF_OT_sky_around,
    BSP2GLTF_OT_sky,
    BSP2GLTF_OT_mark_assets,
    BSP2GLTF_PT_panel,
)
