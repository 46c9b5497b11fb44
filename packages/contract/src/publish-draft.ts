/** Functions of `node:fs/promises`, which this package does not import. Each rejects with an error with `code`. */
export interface DraftTools {
  readonly constants: { readonly COPYFILE_EXCL: number };
  readonly link: (from: string, to: string) => Promise<void>;
  readonly copyFile: (from: string, to: string, mode: number) => Promise<void>;
  readonly open: (path: string, flags: string) => Promise<OpenFile>;
  readonly rm: (path: string, options: { readonly force: true }) => Promise<void>;
}

interface OpenFile {
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Codes of `link` on file systems without hard links, such as FAT, SMB and some of FUSE. */
const WITHOUT_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Gives the content of a draft, which the disk has, a name. Rejects with the code EEXIST for a name that is taken. The
 * draft stays. A file system without hard links gets a copy: a process that is killed meanwhile leaves a part of it.
 */
export async function publishDraft(tools: DraftTools, draft: string, path: string): Promise<void> {
  try {
    await tools.link(draft, path);
  } catch (error) {
    if (!WITHOUT_HARD_LINKS.includes(codeOf(error))) throw error;
    await copyWhole(tools, draft, path);
  }
}

async function copyWhole(tools: DraftTools, draft: string, path: string): Promise<void> {
  // Removes its part if it fails.
  await tools.copyFile(draft, path, tools.constants.COPYFILE_EXCL);
  try {
    const file = await tools.open(path, 'r+');
    await file.sync().finally(() => file.close());
  } catch (error) {
    await tools.rm(path, { force: true });
    throw error;
  }
}

const codeOf = (error: unknown): string => (error as { readonly code?: string })?.code ?? '';
