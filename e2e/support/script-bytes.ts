import type { Page } from 'playwright-core';

/** Returns a function that tells the compressed bytes of script that a window has loaded since, at least one. */
export function scriptBytesOf(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script')
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  return async () => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    const all = await Promise.all(sizes);
    if (all.length === 0) throw new Error('the page loaded no script');
    return all.reduce((sum, size) => sum + size, 0);
  };
}
