// Shows the types that the search names, and hides the rest. The page is whole without it.
const search = document.querySelector('#search');
const found = document.querySelector('#found');
const types = [...document.querySelectorAll('section.type')];
const chapters = document.querySelectorAll('section.chapter');

function filter() {
  const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (type) => words.every((word) => type.dataset.search.includes(word));
  for (const type of types) type.hidden = !fits(type);
  for (const chapter of chapters) chapter.hidden = words.length > 0;
  const count = types.filter((type) => !type.hidden).length;
  found.textContent = words.length === 0 ? '' : `${count} of ${types.length} types`;
}

// A narrow screen begins with the search and the text.
if (matchMedia('(max-width: 56rem)').matches) document.querySelector('nav details').open = false;

search.closest('label').hidden = false;
search.addEventListener('input', filter);
// A link of the contents may lead to what the search has hidden.
document.querySelector('nav').addEventListener('click', (event) => {
  if (!event.target.closest('a')) return;
  search.value = '';
  filter();
});
filter();
