/** Paths that pages of this folder link to. `routes.ts` imports these pages, so the paths cannot be defined there. */
export const SNIPPET_PATH = 'developers/snippet';

export const emailPath = (id: string): string => `developers/emails/${id}`;
