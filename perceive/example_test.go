package perceive_test

import (
	"context"
	"fmt"

	"rove/perceive"
)

// Somebody at a page: it is observed, and what was observed is acted on.
func ExampleVisitor() {
	ctx := context.Background()
	browser := perceive.NewMock() // or perceive.Drive(d), with a driver.Driver
	v := perceive.NewVisitor(browser, nil)
	defer v.Close()

	seen, err := v.Observe(ctx, perceive.ObserveOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(seen.UIMap)

	clicked, err := v.Click(ctx, "el_1")
	fmt.Println(clicked.ResolvedID, err)
	_, err = v.Click(ctx, "el_1@obs_7")
	fmt.Println(err)
	// Output:
	// URL: https://example.com
	// Title: "Example Domain"
	// Viewport: 1280x720
	//
	// Interactive Elements:
	// [el_0] TextInput "Search" (250,115)
	// [el_1] Button "Submit" (460,115)
	// [el_2] Button "Disabled Action" (570,115) disabled
	//
	// Visible Text:
	//   "Welcome to Example"
	// ax_submit <nil>
	// click el_1@obs_7: el_1 is of "obs_7"; only the ids of the last observation count, which is obs_1; observe the page again (browse_observe) and use an id that it shows
}
