import { expect, it } from 'vitest';
import { withoutPictures } from './without-pictures.ts';

it.each(['https://roses.example/a.png', 'http://roses.example/a.png', 'cid:0193@logo'])(
  'a preview shows a placeholder for %s',
  (source) => {
    const html = withoutPictures(`<p>Hello</p><img src="${source}" alt="Roses">`);
    expect(html).toMatch(/^<p>Hello<\/p><img src="data:image[^"]*" alt="Roses">$/);
  },
);
