package derive

import (
	"strings"
	"testing"
)

// TestKarateQueries: what Karate puts between double quotes has none of its own, and
// no backslash.
func TestKarateQueries(t *testing.T) {
	t.Parallel()
	for q, want := range map[string]string{
		`{button}Save`:                         `{button}Save`,
		`{button}Don't`:                        `//button[(substring(normalize-space(text()),1,3)='Don' and substring(normalize-space(text()),5,1)='t' and string-length(normalize-space(text()))=5)]`,
		`input[type="submit"][value="Log in"]`: `input[type='submit'][value='Log in']`,
		`[data-testid="save"]`:                 `[data-testid='save']`,
		`a[title="Ada's"]`:                     `//a[(substring(@title,1,3)='Ada' and substring(@title,5,1)='s' and string-length(@title)=5)]`,
		`#a\:b > div:nth-of-type(2)`:           `[id='a:b'] > div:nth-of-type(2)`,
		`#\31 2`:                               `[id='12']`,
		`#main`:                                `#main`,
		`//tr[.//*[normalize-space(.)='INV-7']]//button[normalize-space(.)='Edit']`: `//tr[.//*[normalize-space(.)='INV-7']]//button[normalize-space(.)='Edit']`,
		`//a[normalize-space(.)='say "hi"']`:                                        `//a[(substring(normalize-space(.),1,4)='say ' and substring(normalize-space(.),6,2)='hi' and string-length(normalize-space(.))=8)]`,
		`//label[starts-with(normalize-space(.),"It's")]//input`:                    `//label[(substring(normalize-space(.),1,2)='It' and substring(normalize-space(.),4,1)='s')]//input`,
		`//a[@title=concat('a', "'", 'b"c')]`:                                       `//a[(substring(@title,1,1)='a' and substring(@title,3,1)='b' and substring(@title,5,1)='c' and string-length(@title)=5)]`,
	} {
		got := karateQuery(q)
		if got != want || strings.ContainsAny(got, `"\`) {
			t.Errorf("%s becomes\n%s, want\n%s", q, got, want)
		}
	}
}
