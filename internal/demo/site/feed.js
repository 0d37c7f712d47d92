// Another page of posts whenever the line below the last one is nearly in view.
const feed = document.querySelector('#feed');
const end = document.querySelector('#end');
let page = 0;

async function more() {
  feed.setAttribute('aria-busy', 'true');
  const posts = await (await fetch(`/api/feed?page=${++page}`)).json();
  for (const post of posts) {
    const article = document.createElement('article');
    article.className = 'panel';
    article.innerHTML = '<h2></h2><p></p><button class="quiet" aria-pressed="false">Like</button> <a>Reply</a>';
    article.querySelector('h2').textContent = post.author;
    article.querySelector('p').textContent = post.text;
    article.querySelector('a').href = `#reply-${post.id}`;
    feed.append(article);
  }
  feed.setAttribute('aria-busy', 'false');
  if (posts.length > 0) return true;
  observer.disconnect();
  end.textContent = 'That is all there is.';
  return false;
}

feed.addEventListener('click', ({target}) => {
  if (target.tagName !== 'BUTTON') return;
  target.setAttribute('aria-pressed', target.getAttribute('aria-pressed') === 'false');
});

// The observer tells of changes only, so after each page it is asked again.
const observer = new IntersectionObserver(async ([entry]) => {
  if (!entry.isIntersecting) return;
  observer.unobserve(end);
  if (await more()) observer.observe(end);
}, {rootMargin: '200px'});
observer.observe(end);
