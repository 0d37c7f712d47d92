package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"rove"
	"rove/driver"
)

// emulateFlags are the flags of what is emulated.
var emulateFlags = []string{"device", "locale", "timezone", "geolocation", "color-scheme", "offline"}

func registerEmulate(c *cobra.Command, g *rove.EmulateOptions) {
	f := c.Flags()
	f.StringVar(&g.Device, "device", "", "be a `DEVICE` with its size, scale, touch and user agent, such as 'iPhone 15'; 'rove devices' lists them")
	f.StringVar(&g.Locale, "locale", "", "be of a `LOCALE`, such as de-DE")
	f.StringVar(&g.Timezone, "timezone", "", "be in a time `ZONE`, such as Europe/Berlin")
	f.StringVar(&g.Geolocation, "geolocation", "", "be at a `PLACE`, latitude and longitude: 52.52,13.40")
	f.StringVar(&g.ColorScheme, "color-scheme", "", "prefer a `SCHEME`: light or dark")
	if f.Lookup("offline") == nil { // a tool has a parameter of that name
		f.BoolVar(&g.Offline, "offline", false, "be offline")
		markOfSession(c, "offline")
	}
	markOfSession(c, "device", "locale", "timezone", "geolocation", "color-scheme")
	_ = c.RegisterFlagCompletionFunc("device", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return driver.DeviceNames(), cobra.ShellCompDirectiveNoFileComp
	})
	_ = c.RegisterFlagCompletionFunc("color-scheme", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"light", "dark"}, cobra.ShellCompDirectiveNoFileComp
	})
}

func newDevicesCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "devices",
		Short:   "List the devices that can be emulated",
		Long:    "Lists the devices that --device takes: their size in CSS pixels, pixels of the screen\nfor each, and what they call themselves.",
		Example: "  rove devices\n  rove go example.com --device 'iPhone 15'",
		Args:    noArgs("devices"),
		RunE: func(c *cobra.Command, _ []string) error {
			if asJSON {
				return printJSON(c.OutOrStdout(), driver.Devices())
			}
			t := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, d := range driver.Devices() {
				fmt.Fprintf(t, "%s\t%dx%d\t%gx\t%s\n", d.Name, d.Viewport.Width, d.Viewport.Height, d.Viewport.Scale, d.UserAgent)
			}
			return t.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the data form")
	return c
}
