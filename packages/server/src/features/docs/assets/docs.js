// Lists search results with links; the page itself stays complete and works without this script.
const search = document.querySelector('#search');
const found = document.querySelector('#found');
const results = document.querySelector('#results');
const RESULTS_MAX = 40;

const places = [...document.querySelectorAll('[data-find]')].map((place) => {
  const name = place.matches('.chapter') ? place.querySelector('h2').textContent : place.id;
  // A section matches by its own name and text. Its rows and operations match by theirs.
  const own = place.matches('.type') ? place.querySelector('p').textContent : place.textContent;
  return { id: place.id, name, text: `${place.id} ${name} ${own}`.toLowerCase() };
});

/** Rank of a match: a name that begins with the word, a name that contains it, then a text. */
function rank({ id, name }, word) {
  const [short, long] = [id.split('.').at(-1).toLowerCase(), `${id} ${name}`.toLowerCase()];
  if (short === word || name.toLowerCase() === word) return 0;
  if (short.startsWith(word)) return 1;
  return long.includes(word) ? 2 : 3;
}

function linkTo({ id, name }) {
  const link = document.createElement('a');
  link.href = `#${encodeURIComponent(id)}`;
  link.textContent = name;
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function find() {
  const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const fitting =
    words.length === 0
      ? []
      : places
          .filter(({ text }) => words.every((word) => text.includes(word)))
          .toSorted((one, other) => rank(one, words[0]) - rank(other, words[0]));
  results.replaceChildren(...fitting.slice(0, RESULTS_MAX).map(linkTo));
  found.textContent = words.length === 0 ? '' : countText(fitting.length);
}

function countText(count) {
  if (count === 0) return 'Nothing found';
  return count > RESULTS_MAX ? `${count} found, the first ${RESULTS_MAX} shown` : `${count} found`;
}

// Closes the navigation on narrow screens.
if (matchMedia('(max-width: 56rem)').matches) document.querySelector('nav details').open = false;

search.closest('search').hidden = false;
search.addEventListener('input', find);
search.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') results.querySelector('a')?.click();
});
find();
