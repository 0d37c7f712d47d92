package rove_test

import (
	"fmt"
	"net/http"
	"testing"

	"rove/internal/testkit"
)

// TestCellsThatOnlyListen: where each cell of a table with headers has a listener and nothing shows it, the
// row is told in one line; the cells of a board are what is pressed.
func TestCellsThatOnlyListen(t *testing.T) {
	t.Parallel()
	ctx, s := open(t)
	url := testkit.ServeHandler(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Orders</title>
			<table><thead><tr><th><th>Number<th>Customer</thead><tr><td><input type=checkbox aria-label=Take><td>4001<td>Abel</table>
			<table id=board><tr><td>X<td>O</table>
			<script>for (const td of document.querySelectorAll('td, th')) td.addEventListener('click', () => {})</script>`)
	}))
	page, err := s.Go(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	has(t, page.Text(), `checkbox "Take" | "4001 | Abel"`, `clickable "X"`, `clickable "O"`)
}
