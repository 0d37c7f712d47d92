package proposal

import (
	"container/heap"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// need is a key that an action depends on, and who writes it.
type need struct {
	key     string
	writers []int // none: the state has it
}

// link finds who depends on whom: on the actions before it that write a key it
// depends on; where there are none, on those after it, which then come first.
func link(steps []*step) [][]int {
	writers := map[string][]int{}
	for i, s := range steps {
		for _, key := range s.writes {
			writers[key] = append(writers[key], i)
		}
	}
	depends := make([][]int, len(steps))
	for i, s := range steps {
		for _, key := range s.depends {
			n := need{key: key}
			at, mine := slices.BinarySearch(writers[key], i)
			if n.writers = writers[key][:at]; at == 0 {
				if n.writers = writers[key]; mine {
					n.writers = n.writers[1:]
				}
			}
			s.needs = append(s.needs, n)
			depends[i] = append(depends[i], n.writers...)
		}
	}
	return depends
}

// order puts actions in levels, each of which needs only those before it, and
// whose actions may run at once. Beside the dependencies it keeps the order of
// the list in two ways. An action that may abort has a level of its own: what is
// before it in the list is done by then, and nothing after it has begun. And
// those that look at a key (in a precondition, an assertion, a policy) or write
// it do so one after the other. With inTurn every action has a level of its own.
func order(steps []*step, depends [][]int, inTurn bool) [][]int {
	level := make([]int, len(steps))
	written, looked := map[string]int{}, map[string]int{} // the first level after that
	barrier, next := 0, 0                                 // the first level after the last that may abort; … after all so far
	for _, i := range dependencyOrder(depends) {
		s := steps[i]
		at := barrier
		for _, d := range depends[i] {
			at = max(at, level[d]+1)
		}
		for _, key := range s.looks {
			at = max(at, written[key])
		}
		for _, key := range s.writes {
			at = max(at, written[key], looked[key])
		}
		if s.FailureBehavior == Abort || inTurn {
			at = max(at, next)
			barrier = at + 1
		}
		next = max(next, at+1)
		level[i] = at
		for _, key := range s.looks {
			looked[key] = max(looked[key], at+1)
		}
		for _, key := range s.writes {
			written[key] = max(written[key], at+1)
		}
	}
	levels := make([][]int, next)
	for i, at := range level {
		levels[at] = append(levels[at], i)
	}
	return slices.DeleteFunc(levels, func(l []int) bool { return len(l) == 0 })
}

// dependencyOrder is the order of the list, except that what depends on something comes
// after it. Nobody depends on themselves, not even through others.
func dependencyOrder(depends [][]int) []int {
	line := make([]int, 0, len(depends))
	waiting := make([]int, len(depends))
	followers := make([][]int, len(depends))
	for i, list := range depends {
		waiting[i] = len(list)
		for _, d := range list {
			followers[d] = append(followers[d], i)
		}
	}
	ready := new(lowestFirst)
	for i, n := range waiting {
		if n == 0 {
			heap.Push(ready, i)
		}
	}
	for ready.Len() > 0 {
		i := heap.Pop(ready).(int)
		line = append(line, i)
		for _, f := range followers[i] {
			if waiting[f]--; waiting[f] == 0 {
				heap.Push(ready, f)
			}
		}
	}
	return line
}

type lowestFirst struct{ sort.IntSlice }

func (h *lowestFirst) Push(x any) { h.IntSlice = append(h.IntSlice, x.(int)) }

func (h *lowestFirst) Pop() any {
	last := len(h.IntSlice) - 1
	x := h.IntSlice[last]
	h.IntSlice = h.IntSlice[:last]
	return x
}

// dependencyCycles finds the actions that depend on each other in a circle, and says how:
// nobody could be first.
func dependencyCycles(steps []*step, depends [][]int) map[int]error {
	found := map[int]error{}
	for _, knot := range dependencyGroups(depends) {
		circle := wayBack(depends, knot[0])
		var parts []string
		for j, from := range circle {
			to := circle[(j+1)%len(circle)]
			for _, n := range steps[from].needs {
				if slices.Contains(n.writers, to) {
					parts = append(parts, fmt.Sprintf("%s needs %q of %s", steps[from].ID, n.key, steps[to].ID))
					break
				}
			}
		}
		err := fmt.Errorf("the dependencies go round in a circle: %s", strings.Join(parts, ", "))
		for _, i := range knot {
			found[i] = err
		}
	}
	return found
}

// dependencyGroups are the groups of actions in which everybody depends on everybody, by
// Tarjan's algorithm. Each begins with its first in the list.
func dependencyGroups(depends [][]int) (all [][]int) {
	number, low := make([]int, len(depends)), make([]int, len(depends))
	on := make([]bool, len(depends))
	var stack []int
	count := 0
	var visit func(i int)
	visit = func(i int) {
		count++
		number[i], low[i] = count, count
		stack, on[i] = append(stack, i), true
		for _, d := range depends[i] {
			if number[d] == 0 {
				visit(d)
				low[i] = min(low[i], low[d])
			} else if on[d] {
				low[i] = min(low[i], number[d])
			}
		}
		if low[i] < number[i] {
			return
		}
		at := slices.Index(stack, i)
		knot := slices.Sorted(slices.Values(stack[at:]))
		stack = stack[:at]
		for _, k := range knot {
			on[k] = false
		}
		if len(knot) > 1 {
			all = append(all, knot)
		}
	}
	for i := range depends {
		if number[i] == 0 {
			visit(i)
		}
	}
	return all
}

// wayBack is the shortest way from an action over what it needs back to itself.
func wayBack(needs [][]int, start int) []int {
	from := map[int]int{}
	queue := []int{start}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, n := range needs[i] {
			if n == start {
				way := []int{i}
				for i != start {
					i = from[i]
					way = append(way, i)
				}
				slices.Reverse(way)
				return way
			}
			if _, seen := from[n]; !seen {
				from[n] = i
				queue = append(queue, n)
			}
		}
	}
	return nil
}
