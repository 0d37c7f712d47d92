// The task list: the server keeps it, the page changes only what changed.
const list = document.querySelector('#tasks');
const problem = document.querySelector('#problem');

function item({id, title, done}) {
  const li = document.createElement('li');
  li.dataset.id = id;
  li.innerHTML = '<label class="inline"><input type="checkbox"> <span></span></label> <button class="quiet">×</button>';
  li.querySelector('input').checked = done;
  li.querySelector('span').textContent = title;
  li.querySelector('button').setAttribute('aria-label', `Remove ${title}`);
  return li;
}

function count() {
  const boxes = [...list.querySelectorAll('input')];
  const open = boxes.filter((box) => !box.checked).length;
  document.querySelector('#left').textContent = open === 1 ? '1 task left' : `${open} tasks left`;
  document.querySelector('#clear').disabled = open === boxes.length;
}

async function send(method, path, body) {
  const answer = await fetch(path, {method, body: body && JSON.stringify(body)});
  problem.hidden = answer.ok;
  if (!answer.ok) problem.textContent = `That did not work: ${(await answer.text()).trim()}`;
  return answer;
}

document.querySelector('#new').addEventListener('submit', async (event) => {
  event.preventDefault();
  const field = event.target.elements.title;
  const answer = await send('POST', '/api/tasks', {title: field.value});
  if (!answer.ok) return;
  list.append(item(await answer.json()));
  field.value = '';
  count();
});

list.addEventListener('change', async ({target}) => {
  const answer = await send('PATCH', `/api/tasks/${target.closest('li').dataset.id}`, {done: target.checked});
  if (!answer.ok) target.checked = !target.checked;
  count();
});

list.addEventListener('click', async ({target}) => {
  if (target.tagName !== 'BUTTON') return;
  const li = target.closest('li');
  const answer = await send('DELETE', `/api/tasks/${li.dataset.id}`);
  if (answer.ok) li.remove();
  count();
});

document.querySelector('#clear').addEventListener('click', async () => {
  const answer = await send('DELETE', '/api/tasks');
  if (answer.ok) list.querySelectorAll('li:has(:checked)').forEach((li) => li.remove());
  count();
});

count();
