import type { Page } from 'playwright-core';

/** The server executes the first request but its response is lost; later requests get a temporary refusal. */
export async function loseResponses(page: Page, address: string): Promise<string> {
  let requests = 0;
  await page.route(address, async (route) => {
    requests += 1;
    if (requests > 1) {
      await route.fulfill({ status: 429, headers: { 'retry-after': '0' }, json: { errors: [] } });
      return;
    }
    await route.fetch();
    await route.abort();
  });
  return address;
}
