// A confirm before deleting, a prompt for a new name: dialogs that block the page.
for (const form of document.querySelectorAll('form[data-ask]')) {
  form.addEventListener('submit', (event) => {
    if (!confirm(form.dataset.ask)) event.preventDefault();
  });
}
document.querySelector('#rename').addEventListener('click', () => {
  const folder = document.querySelector('#folder');
  const name = prompt('New name of the folder', folder.textContent);
  if (name) folder.textContent = name;
});
