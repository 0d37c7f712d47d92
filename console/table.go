package console

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// table writes what console.table was given, a row for each element. It is false
// for what has no rows.
func (w *writer) table(v *value) bool {
	if v.Kind != array && v.Kind != object && v.Kind != dict && v.Kind != set || len(v.Items) == 0 {
		return false
	}
	columns, rows := w.rows(v)
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = utf8.RuneCountInString(c)
		for _, row := range rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[c]))
		}
	}
	line := func(cells func(string) string) {
		var b strings.Builder
		for i, c := range columns {
			text := cells(c)
			if i > 0 {
				b.WriteString(" | ")
			}
			b.WriteString(text)
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text)))
		}
		w.WriteString(strings.TrimRight(b.String(), " "))
	}
	line(func(c string) string { return c })
	for _, row := range rows {
		w.WriteByte('\n')
		line(func(c string) string { return row[c] })
	}
	if v.More {
		w.WriteString("\n" + cutMark)
	}
	return true
}

// rows gives the cells of a table by column.
func (w *writer) rows(v *value) (columns []string, rows []map[string]string) {
	const index, own = "(index)", "Value"
	columns = []string{index}
	single := false
	cell := func(v *value) string {
		c := writer{stack: w.stack}
		c.value(v, 1)
		return strings.ReplaceAll(c.String(), "\n", " ")
	}
	for i := range v.Items {
		it := &v.Items[i]
		if it.Kind == hole {
			continue
		}
		row := map[string]string{index: it.Name}
		switch {
		case it.Key != nil:
			row[index] = cell(it.Key)
		case it.Name == "":
			row[index] = strconv.Itoa(i)
		}
		fields := it.Kind == object || it.Kind == array
		if fields {
			for k := range it.Items {
				field := &it.Items[k]
				name := field.Name
				if name == "" {
					name = strconv.Itoa(k)
				}
				if !slices.Contains(columns, name) {
					columns = append(columns, name)
				}
				row[name] = cell(&field.Value)
			}
		}
		if !fields || it.More && len(it.Items) == 0 {
			row[own], single = cell(&it.Value), true
		}
		rows = append(rows, row)
	}
	if single && !slices.Contains(columns, own) {
		columns = append(columns, own)
	}
	return columns, rows
}
