// No roles, no labels, one listener for everything: as found in the wild.
const when = document.querySelector('#when');
const columns = [...document.querySelectorAll('.column')];
let dragged = null;

function recount() {
  for (const column of columns) column.querySelector('.pill').textContent = column.querySelectorAll('.tile').length;
}

document.querySelector('main').addEventListener('click', ({target}) => {
  const what = target.closest('[data-do]');
  if (!what) return;
  const doing = what.dataset.do;
  when.textContent = doing;
  if (doing === 'trash') what.closest('.tile').remove();
  if (doing === 'toggle') what.classList.toggle('on');
  if (doing === 'add') {
    const tile = document.createElement('div');
    tile.className = 'tile';
    tile.draggable = true;
    tile.innerHTML = '<span class="grip"></span><span class="link" data-do="open">Untitled card</span>';
    columns[0].append(tile);
  }
  recount();
});

document.addEventListener('dragstart', ({target}) => { dragged = target; });
for (const column of columns) {
  column.addEventListener('dragover', (event) => event.preventDefault());
  column.addEventListener('drop', (event) => {
    event.preventDefault();
    if (dragged) column.append(dragged);
    when.textContent = 'moved';
    recount();
  });
}
