package entity

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// AddItemProps adds the props of entities whose models the game's code names. It fails if a limit is exceeded.
func AddItemProps(dc *decoding.Context, game classes.Family, entities []world.Entity, props []world.Prop) ([]world.Prop, error) {
	if err := dc.Borrow(2 * limit.Bytes[classes.Item](2*len(entities))); err != nil {
		return props, err
	}
	items := classes.Items(game, entities)
	if err := dc.Budget.Reserve(2*limit.Bytes[world.Prop](len(items)) + limit.Bytes[world.Hover](len(items))); err != nil {
		return props, err
	}
	for _, item := range items {
		if err := limit.Check("MaxProps", dc.Budget.Limits.MaxProps, int64(len(props))+1); err != nil {
			return props, fmt.Errorf("entity %d: %w", item.Entity, err)
		}
		p := world.Prop{Model: item.Model, Index: world.NoModel, Entity: item.Entity, Scale: [3]float32{item.Scale, item.Scale, item.Scale},
			Appearance: item.Look, Assumed: true}
		p.Origin, _ = entities[item.Entity].Vector("origin")
		if item.Look.Hover == nil {
			p.Angles = entities[item.Entity].Angles()
		}
		props = append(props, p)
	}
	return props, nil
}
