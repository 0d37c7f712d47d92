// A list of 5,000 people of which only the rows on screen exist. The same
// nodes are used again for other people while scrolling, as real grids do.
const total = 5000;
const height = 36;
const first = ['Ada', 'Grace', 'Alan', 'Katherine', 'Edsger', 'Barbara', 'Donald', 'Radia', 'Ken', 'Frances'];
const last = ['Lovelace', 'Hopper', 'Turing', 'Johnson', 'Dijkstra', 'Liskov', 'Knuth', 'Perlman', 'Thompson', 'Allen', 'Wirth'];
const all = Array.from({length: total}, (_, i) => ({
  number: i + 1,
  name: `${first[i % first.length]} ${last[(i * 3) % last.length]}`,
  chosen: false,
}));

const list = document.querySelector('#list');
const spacer = list.querySelector('.spacer');
let rows = [];
let shown = all;

function draw() {
  spacer.style.height = `${shown.length * height}px`;
  list.setAttribute('aria-rowcount', shown.length);
  const start = Math.max(0, Math.floor(list.scrollTop / height) - 2);
  const need = Math.min(shown.length - start, Math.ceil(list.clientHeight / height) + 4);
  while (rows.length < need) rows.push(newRow());
  while (rows.length > need) rows.pop().remove();
  rows.forEach((row, i) => {
    const person = shown[start + i];
    row.person = person;
    row.style.top = `${(start + i) * height}px`;
    row.setAttribute('aria-rowindex', start + i + 1);
    row.querySelector('input').checked = person.chosen;
    row.querySelector('input').setAttribute('aria-label', `Choose row ${person.number}`);
    row.querySelector('[data-name]').textContent = person.name;
    row.querySelector('[data-number]').textContent = person.number;
  });
}

function newRow() {
  const row = document.createElement('div');
  row.setAttribute('role', 'row');
  row.innerHTML = `<span role="gridcell"><input type="checkbox"></span>
    <span role="gridcell" data-number></span> <span role="gridcell" data-name></span>`;
  row.querySelector('input').addEventListener('change', ({target}) => {
    row.person.chosen = target.checked;
    const chosen = all.filter((person) => person.chosen).map((person) => `${person.number} ${person.name}`);
    document.querySelector('#chosen').textContent = chosen.join(', ') || 'nobody';
  });
  list.append(row);
  return row;
}

function filter(text) {
  shown = all.filter((person) => person.name.toLowerCase().includes(text.toLowerCase()));
  document.querySelector('#count').textContent = `${shown.length} people`;
  list.scrollTop = 0;
  draw();
}

list.addEventListener('scroll', draw);
document.querySelector('#filter').addEventListener('input', ({target}) => filter(target.value));
filter('');
