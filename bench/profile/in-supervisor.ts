/** Loaded into the supervisor before its program: its children run by the Node of this module's address. */
process.execPath = new URL(import.meta.url).searchParams.get('node') ?? process.execPath;
