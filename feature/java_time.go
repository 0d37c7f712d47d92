package feature

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rove/internal/script"
)

// moment is a date, a time or both, as Java's classes for them have it. Scripts
// call what they know; what makes no sense for a kind is not there.
type moment struct {
	t    time.Time
	kind string // Date, LocalDate, LocalDateTime, LocalTime, Instant, ZonedDateTime
}

var momentLayouts = map[string]string{
	"LocalDate": "2006-01-02", "LocalDateTime": "2006-01-02T15:04:05.999999999", "LocalTime": "15:04:05.999999999", "Instant": "2006-01-02T15:04:05.999999999Z",
	"ZonedDateTime": "2006-01-02T15:04:05.999999999Z07:00", "OffsetDateTime": "2006-01-02T15:04:05.999999999Z07:00", "Date": "Mon Jan 02 15:04:05 MST 2006",
}

func init() {
	now := func(kind string) method {
		return func(context.Context, javaArgs) (any, error) {
			t := time.Now()
			switch kind {
			case "LocalDate":
				t = time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
			case "Instant":
				t = t.UTC()
			}
			return &moment{t, kind}, nil
		}
	}
	parse := func(kind string) method {
		return func(_ context.Context, a javaArgs) (any, error) {
			layout := momentLayouts[kind]
			if f, ok := a.host(1).(*dateForm); ok {
				layout = f.layout
			}
			t, err := time.Parse(layout, a.text(0))
			if err != nil && kind == "LocalDateTime" {
				t, err = time.Parse("2006-01-02T15:04", a.text(0))
			}
			if err != nil {
				return nil, fmt.Errorf("DateTimeParseException: Text '%s' could not be parsed", a.text(0))
			}
			return &moment{t, kind}, nil
		}
	}
	of := func(kind string) method {
		return func(_ context.Context, a javaArgs) (any, error) {
			return &moment{time.Date(int(a.int(0)), time.Month(max(a.int(1), 1)), int(max(a.int(2), 1)), int(a.int(3)), int(a.int(4)), int(a.int(5)), 0, time.UTC), kind}, nil
		}
	}
	for _, kind := range []string{"LocalDate", "LocalDateTime", "LocalTime", "Instant", "ZonedDateTime", "OffsetDateTime"} {
		name := "java.time." + kind
		methods := map[string]method{"now": now(kind), "parse": parse(kind)}
		if kind != "Instant" && kind != "LocalTime" {
			methods["of"] = of(kind)
		}
		methods["ofEpochMilli"] = func(_ context.Context, a javaArgs) (any, error) {
			return &moment{time.UnixMilli(a.int(0)).UTC(), kind}, nil
		}
		methods["ofEpochSecond"] = func(_ context.Context, a javaArgs) (any, error) {
			return &moment{time.Unix(a.int(0), 0).UTC(), kind}, nil
		}
		javaClasses[name] = static(name, nil, methods)
	}
	javaClasses["java.util.Date"] = class("java.util.Date", func(_ context.Context, a javaArgs) (any, error) {
		if len(a) > 0 {
			return &moment{time.UnixMilli(a.int(0)), "Date"}, nil
		}
		return &moment{time.Now(), "Date"}, nil
	}, nil)
	javaClasses["java.text.SimpleDateFormat"] = class("java.text.SimpleDateFormat", func(_ context.Context, a javaArgs) (any, error) { return newDateForm(a.text(0)) }, nil)
	javaClasses["java.time.format.DateTimeFormatter"] = static("java.time.format.DateTimeFormatter", map[string]any{
		"ISO_DATE": &dateForm{layout: momentLayouts["LocalDate"]}, "ISO_LOCAL_DATE": &dateForm{layout: momentLayouts["LocalDate"]},
		"ISO_LOCAL_DATE_TIME": &dateForm{layout: momentLayouts["LocalDateTime"]}, "ISO_DATE_TIME": &dateForm{layout: momentLayouts["LocalDateTime"]},
		"ISO_INSTANT": &dateForm{layout: momentLayouts["Instant"]}, "BASIC_ISO_DATE": &dateForm{layout: "20060102"},
	}, map[string]method{
		"ofPattern": func(_ context.Context, a javaArgs) (any, error) { return newDateForm(a.text(0)) },
	})
	zone := func(_ context.Context, a javaArgs) (any, error) {
		loc, err := time.LoadLocation(a.text(0))
		if err != nil {
			return nil, fmt.Errorf("ZoneRulesException: Unknown time-zone ID: %s", a.text(0))
		}
		return &javaZone{loc}, nil
	}
	javaClasses["java.time.ZoneId"] = static("java.time.ZoneId", nil, map[string]method{"of": zone, "systemDefault": func(context.Context, javaArgs) (any, error) { return &javaZone{time.Local}, nil }})
	javaClasses["java.time.ZoneOffset"] = static("java.time.ZoneOffset", map[string]any{"UTC": &javaZone{time.UTC}}, nil)
	javaClasses["java.util.TimeZone"] = static("java.util.TimeZone", nil, map[string]method{"getTimeZone": zone})
}

// javaZone is a time zone.
type javaZone struct{ loc *time.Location }

func (*javaZone) Member(string) (any, bool) { return nil, false }
func (*javaZone) Members() []string         { return nil }
func (z *javaZone) String() string          { return z.loc.String() }

// dateForm is a form to write and read dates by.
type dateForm struct {
	layout string
	zone   *time.Location
}

// forms of Java's patterns in those of Go.
var dateLetters = map[string]string{
	"yyyy": "2006", "yyy": "2006", "uuuu": "2006", "yy": "06", "y": "2006", "MMMM": "January", "MMM": "Jan", "MM": "01", "M": "1", "dd": "02", "d": "2",
	"HH": "15", "H": "15", "hh": "03", "h": "3", "mm": "04", "m": "4", "ss": "05", "s": "5", "a": "PM", "EEEE": "Monday", "EEE": "Mon", "E": "Mon",
	"z": "MST", "Z": "-0700", "XXX": "Z07:00", "XX": "Z0700", "X": "Z07", "DDD": "002",
}

func newDateForm(pattern string) (any, error) {
	var b strings.Builder
	for i := 0; i < len(pattern); {
		c := pattern[i]
		if c == '\'' {
			end := strings.IndexByte(pattern[i+1:], '\'')
			if end < 0 {
				return nil, fmt.Errorf("IllegalArgumentException: Unterminated quote in %s", pattern)
			}
			b.WriteString(pattern[i+1 : i+1+end])
			i += end + 2
			continue
		}
		j := i
		for j < len(pattern) && pattern[j] == c {
			j++
		}
		part := pattern[i:j]
		switch {
		case c == 'S':
			b.WriteString(strings.Repeat("0", len(part)))
		case dateLetters[part] != "":
			b.WriteString(dateLetters[part])
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			return nil, fmt.Errorf("the date pattern %s is not known here: %s", pattern, part)
		default:
			b.WriteString(part)
		}
		i = j
	}
	return &dateForm{layout: b.String()}, nil
}

func (f *dateForm) format(t time.Time) string {
	if f.zone != nil {
		t = t.In(f.zone)
	}
	layout := f.layout
	// Go wants a dot or comma before fractions of a second.
	if strings.Contains(layout, "05000") {
		return strings.Replace(t.Format(strings.Replace(layout, "05000", "05.000", 1)), ".", "", 1)
	}
	return t.Format(layout)
}

func (f *dateForm) Member(name string) (any, bool) {
	m, ok := map[string]method{
		"format": func(_ context.Context, a javaArgs) (any, error) {
			switch d := a.host(0).(type) {
			case *moment:
				return f.format(d.t), nil
			}
			if len(a) > 0 {
				switch d := a[0].Export().(type) {
				case time.Time:
					return f.format(d.Local()), nil
				case int64:
					return f.format(time.UnixMilli(d)), nil
				}
			}
			return nil, fmt.Errorf("format needs a date")
		},
		"parse": func(_ context.Context, a javaArgs) (any, error) {
			loc := time.Local
			if f.zone != nil {
				loc = f.zone
			}
			t, err := time.ParseInLocation(f.layout, a.text(0), loc)
			if err != nil {
				return nil, fmt.Errorf("ParseException: Unparseable date: \"%s\"", a.text(0))
			}
			return &moment{t, "Date"}, nil
		},
		"setTimeZone": func(_ context.Context, a javaArgs) (any, error) {
			if z, ok := a.host(0).(*javaZone); ok {
				f.zone = z.loc
			}
			return undefined, nil
		},
		"setLenient": func(context.Context, javaArgs) (any, error) { return undefined, nil },
		"withZone": func(_ context.Context, a javaArgs) (any, error) {
			if z, ok := a.host(0).(*javaZone); ok {
				return &dateForm{f.layout, z.loc}, nil
			}
			return f, nil
		},
	}[name]
	if !ok {
		return nil, false
	}
	return script.Function(func(ctx context.Context, args []script.Value) (any, error) { return m(ctx, args) }), true
}

func (f *dateForm) Members() []string { return nil }

func (m *moment) String() string {
	text := m.t.Format(momentLayouts[m.kind])
	if strings.HasPrefix(m.kind, "Local") && m.kind != "LocalDate" && m.t.Second() == 0 && m.t.Nanosecond() == 0 {
		text = strings.TrimSuffix(text, ":00") // Java leaves seconds out that are none
	}
	return text
}

// addMonths is as in Java: the day is the last of the month where there is no such.
func addMonths(t time.Time, n int) time.Time {
	year, month, day := t.Date()
	last := time.Date(year, month+time.Month(n)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return time.Date(year, month+time.Month(n), min(day, last), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
}

func (m *moment) Export() any { return m.String() }

func (m *moment) Members() []string { return nil }

func (m *moment) Member(name string) (any, bool) {
	methods := m.methods()
	f, ok := methods[name]
	if !ok {
		return bean(methods, name)
	}
	return script.Function(func(ctx context.Context, args []script.Value) (any, error) { return f(ctx, args) }), true
}

func (m *moment) methods() map[string]method {
	shift := func(years, months, days int, d time.Duration) method {
		return func(_ context.Context, a javaArgs) (any, error) {
			n := int(a.int(0))
			return &moment{addMonths(m.t, 12*years*n+months*n).AddDate(0, 0, days*n).Add(time.Duration(n) * d), m.kind}, nil
		}
	}
	number := func(n int) method {
		return func(context.Context, javaArgs) (any, error) { return int64(n), nil }
	}
	other := func(a javaArgs) time.Time {
		if o, ok := a.host(0).(*moment); ok {
			return o.t
		}
		return time.Time{}
	}
	as := func(kind string) method {
		return func(_ context.Context, a javaArgs) (any, error) {
			t := m.t
			z, ok := a.host(0).(*javaZone)
			switch {
			case ok && strings.HasPrefix(m.kind, "Local"): // has no zone, and gets one
				t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), z.loc)
			case ok:
				t = t.In(z.loc)
			}
			switch kind {
			case "Instant":
				t = t.UTC()
			case "LocalDate":
				t = time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
			}
			return &moment{t, kind}, nil
		}
	}
	return map[string]method{
		"plusYears": shift(1, 0, 0, 0), "plusMonths": shift(0, 1, 0, 0), "plusWeeks": shift(0, 0, 7, 0), "plusDays": shift(0, 0, 1, 0),
		"minusYears": shift(-1, 0, 0, 0), "minusMonths": shift(0, -1, 0, 0), "minusWeeks": shift(0, 0, -7, 0), "minusDays": shift(0, 0, -1, 0),
		"plusHours": shift(0, 0, 0, time.Hour), "plusMinutes": shift(0, 0, 0, time.Minute), "plusSeconds": shift(0, 0, 0, time.Second), "plusMillis": shift(0, 0, 0, time.Millisecond),
		"minusHours": shift(0, 0, 0, -time.Hour), "minusMinutes": shift(0, 0, 0, -time.Minute), "minusSeconds": shift(0, 0, 0, -time.Second), "minusMillis": shift(0, 0, 0, -time.Millisecond),
		"getYear": number(m.t.Year()), "getMonthValue": number(int(m.t.Month())), "getDayOfMonth": number(m.t.Day()), "getDayOfYear": number(m.t.YearDay()),
		"getHour": number(m.t.Hour()), "getMinute": number(m.t.Minute()), "getSecond": number(m.t.Second()), "getNano": number(m.t.Nanosecond()),
		"getTime":        func(context.Context, javaArgs) (any, error) { return m.t.UnixMilli(), nil },
		"toEpochMilli":   func(context.Context, javaArgs) (any, error) { return m.t.UnixMilli(), nil },
		"getEpochSecond": func(context.Context, javaArgs) (any, error) { return m.t.Unix(), nil },
		"toEpochSecond":  func(context.Context, javaArgs) (any, error) { return m.t.Unix(), nil },
		"toEpochDay":     func(context.Context, javaArgs) (any, error) { return m.t.Unix() / 86400, nil },
		"getDayOfWeek": func(context.Context, javaArgs) (any, error) {
			return javaText(strings.ToUpper(m.t.Weekday().String())), nil
		},
		"getMonth": func(context.Context, javaArgs) (any, error) {
			return javaText(strings.ToUpper(m.t.Month().String())), nil
		},
		"isBefore":  func(_ context.Context, a javaArgs) (any, error) { return m.t.Before(other(a)), nil },
		"isAfter":   func(_ context.Context, a javaArgs) (any, error) { return m.t.After(other(a)), nil },
		"before":    func(_ context.Context, a javaArgs) (any, error) { return m.t.Before(other(a)), nil },
		"after":     func(_ context.Context, a javaArgs) (any, error) { return m.t.After(other(a)), nil },
		"isEqual":   func(_ context.Context, a javaArgs) (any, error) { return m.t.Equal(other(a)), nil },
		"equals":    func(_ context.Context, a javaArgs) (any, error) { return m.t.Equal(other(a)), nil },
		"compareTo": func(_ context.Context, a javaArgs) (any, error) { return int64(m.t.Compare(other(a))), nil },
		"toString":  func(context.Context, javaArgs) (any, error) { return m.String(), nil },
		"format": func(_ context.Context, a javaArgs) (any, error) {
			if f, ok := a.host(0).(*dateForm); ok {
				return f.format(m.t), nil
			}
			return nil, fmt.Errorf("format needs a DateTimeFormatter")
		},
		"withDayOfMonth": func(_ context.Context, a javaArgs) (any, error) {
			return &moment{m.t.AddDate(0, 0, int(a.int(0))-m.t.Day()), m.kind}, nil
		},
		"toLocalDate": as("LocalDate"), "toLocalDateTime": as("LocalDateTime"), "toInstant": as("Instant"), "atZone": as("ZonedDateTime"), "withZoneSameInstant": as("ZonedDateTime"),
		"atStartOfDay": as("LocalDateTime"),
	}
}
