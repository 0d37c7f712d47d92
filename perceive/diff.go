package perceive

import "slices"

// UiMapDiff is what is different between two maps. Elements are told apart by
// their accessibility ids: el_3 of one map may be another's el_4.
type UiMapDiff struct {
	Added          []string        `json:"added_elements"`   // ids of the map after
	Removed        []string        `json:"removed_elements"` // ids of the map before
	Changed        []ElementChange `json:"changed_elements"`
	URLChanged     bool            `json:"url_changed"`
	ScrollChanged  bool            `json:"scroll_changed"`
	SignalsChanged bool            `json:"signals_changed"`
}

// ElementChange is one thing that is different about an element. Field is role,
// name, value, or a state such as checked, whose values are true and false.
type ElementChange struct {
	ElementID string `json:"element_id"` // of the map after
	Field     string `json:"field"`
	Old       string `json:"old_value"`
	New       string `json:"new_value"`
}

// Empty says that nothing is different.
func (d *UiMapDiff) Empty() bool {
	return len(d.Added)+len(d.Removed)+len(d.Changed) == 0 && !d.URLChanged && !d.ScrollChanged && !d.SignalsChanged
}

// Diff tells two maps apart.
func Diff(before, after *UiMap) *UiMapDiff {
	d := &UiMapDiff{
		Added: []string{}, Removed: []string{}, Changed: []ElementChange{},
		URLChanged:     before.URL != after.URL,
		ScrollChanged:  before.Viewport.ScrollX != after.Viewport.ScrollX || before.Viewport.ScrollY != after.Viewport.ScrollY,
		SignalsChanged: before.PageSignals.key() != after.PageSignals.key(),
	}
	was := identities(before)
	is := identities(after)
	for i := range after.Elements {
		now := &after.Elements[i]
		if old, ok := was[identity(now)]; ok {
			d.Changed = append(d.Changed, changes(old, now)...)
		} else {
			d.Added = append(d.Added, now.ID)
		}
	}
	for i := range before.Elements {
		if e := &before.Elements[i]; is[identity(e)] == nil {
			d.Removed = append(d.Removed, e.ID)
		}
	}
	return d
}

func identity(e *UiElement) string {
	if e.AXRef != "" {
		return e.AXRef
	}
	return e.ID
}

func identities(m *UiMap) map[string]*UiElement {
	all := make(map[string]*UiElement, len(m.Elements))
	for i := range m.Elements {
		all[identity(&m.Elements[i])] = &m.Elements[i]
	}
	return all
}

func changes(old, now *UiElement) []ElementChange {
	var list []ElementChange
	note := func(field, before, after string) {
		if before != after {
			list = append(list, ElementChange{now.ID, field, before, after})
		}
	}
	note("role", string(old.Role), string(now.Role))
	note("name", old.Name, now.Name)
	note("value", valueOf(old), valueOf(now))
	for _, s := range told {
		if s != Offscreen { // that is the scrolling
			note(string(s), yes(old.States, s), yes(now.States, s))
		}
	}
	return list
}

func valueOf(e *UiElement) string {
	if e.Value == nil {
		return ""
	}
	return *e.Value
}

func yes(states []UiState, s UiState) string {
	if slices.Contains(states, s) {
		return "true"
	}
	return "false"
}
