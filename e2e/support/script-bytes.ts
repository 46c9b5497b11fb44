import type { Page } from 'playwright-core';

/** Counts the compressed bytes of scripts that a window loads. The returned function throws if there were none. */
export function watchScriptBytes(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script')
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  return async () => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    const byteCounts = await Promise.all(sizes);
    if (byteCounts.length === 0) throw new Error('the page loaded no script');
    return byteCounts.reduce((sum, size) => sum + size, 0);
  };
}
