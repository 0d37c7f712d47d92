// Shadow roots of both kinds, and a frame inside one.
function fill(id, mode, html) {
  const root = document.getElementById(id).attachShadow({mode});
  root.innerHTML = html;
  return root;
}
const rating = `
  <p>How was it?</p>
  <button>Good</button> <button>Bad</button> <output></output>`;
for (const mode of ['open', 'closed']) {
  const root = fill(mode, mode, rating);
  root.addEventListener('click', ({target}) => {
    if (target.tagName === 'BUTTON') root.querySelector('output').textContent = `You said: ${target.textContent}`;
  });
}
const framed = fill('framed', 'open', '<slot></slot><iframe title="Weather"></iframe>');
framed.querySelector('iframe').src = document.getElementById('framed').dataset.src;
