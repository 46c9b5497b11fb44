/** Addresses that pages of this folder link to. Kept out of `routes.ts`, which imports those pages. */
export const SNIPPET_PATH = 'developers/snippet';

export const emailPath = (id: string): string => `developers/letters/${id}`;
