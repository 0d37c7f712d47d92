package rove_test

import (
	"bytes"
	"testing"

	"rove/internal/testkit"

	"rove/driver/backend"
)

// A page that is about to be another is printed, before or after.
func TestPrintWhileThePageLeaves(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	at := serve(t, "<title>Leaving</title><p>a page</p>")
	if _, err := s.Go(ctx, at); err != nil {
		t.Fatal(err)
	}
	for range 8 {
		if _, err := s.Wait(ctx, "idle", 0); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Eval(ctx, "location.href = '/?' + Math.random()"); err != nil {
			t.Fatal(err)
		}
		pdf, err := s.Driver().Tab().PDF(ctx, backend.PDFOptions{})
		if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-")) {
			t.Fatalf("%.20q, %v", pdf, err)
		}
	}
}
