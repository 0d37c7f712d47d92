package rove_test

import "testing"

// TestPressTakesWhatAFieldHolds: a page that takes what a field holds a moment after it was
// left has it when the click comes, as it does below a hand.
func TestPressTakesWhatAFieldHolds(t *testing.T) {
	ctx, s := open(t)
	base := serve(t, `<title>t</title><label>Amount <input></label><button>Add</button><p></p><script>
		let amount = '0.00';
		const field = document.querySelector('input');
		field.onblur = () => setTimeout(() => { amount = field.value; }, 5);
		document.querySelector('button').onclick = () => { document.querySelector('p').textContent = 'Added ' + amount; };</script>`)
	does(t, ctx, s, "go "+base, "{input}Amount|input|25.50", "{button}Add|click")
	if got, err := s.Eval(ctx, "document.querySelector('p').textContent"); err != nil || got.Value != "Added 25.50" {
		t.Errorf("%+v %v", got, err)
	}
}
