import type { DisputeFileType } from '@florin/contract/resources/dispute-files.ts';

/** Name of a type for errors, and its file extensions. A name without one gets the first. */
export const fileTypes: Readonly<
  Record<DisputeFileType, { readonly name: string; readonly extensions: readonly string[] }>
> = {
  'application/pdf': { name: 'PDF', extensions: ['pdf'] },
  'image/png': { name: 'PNG', extensions: ['png'] },
  'image/jpeg': { name: 'JPEG', extensions: ['jpg', 'jpeg'] },
};
