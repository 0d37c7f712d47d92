package data

import (
	"encoding/csv"
	"errors"
	"strings"
)

// ParseCSV reads a table with a header: a list of objects, all values strings.
// Cells that a row lacks are empty, those that it has too many are dropped, blank
// lines are no rows.
func ParseCSV(text string) ([]any, error) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	rows, err := r.ReadAll()
	if err != nil {
		if bad, ok := errors.AsType[*csv.ParseError](err); ok {
			return nil, &SyntaxError{Format: "CSV", Line: bad.Line, Column: bad.Column, Message: bad.Err.Error()}
		}
		return nil, &SyntaxError{Format: "CSV", Message: err.Error()}
	}
	list := []any{}
	if len(rows) == 0 {
		return list, nil
	}
	header := rows[0]
	for _, row := range rows[1:] {
		o := &Object{}
		for i, key := range header {
			cell := ""
			if i < len(row) {
				cell = row[i]
			}
			o.Set(key, cell)
		}
		list = append(list, o)
	}
	return list, nil
}

// CSV writes a list of objects as a table. The keys of the first are the header.
func CSV(list []any) string {
	var out strings.Builder
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	var header []string
	for i, e := range list {
		o, ok := e.(*Object)
		if !ok {
			continue
		}
		if i == 0 {
			header = o.Keys()
			_ = w.Write(header)
		}
		row := make([]string, len(header))
		for j, key := range header {
			if v, ok := o.Get(key); ok && v != nil && v != Undefined {
				row[j] = Text(v)
			}
		}
		_ = w.Write(row)
	}
	w.Flush()
	return out.String()
}
