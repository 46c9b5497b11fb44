/** Words of the documents for the processes of packages that have another name. */
const WORDS: Readonly<Record<string, string>> = {
  cli: 'supervisor',
  simulator: 'simulated card network',
};

/** Word for the process of a package. */
export const processWord = (name: string): string => WORDS[name] ?? name;

/** Resident memory in MB by package, such as "server 190 MB, supervisor 70 MB", largest first. */
export const renderMemory = (memory: Readonly<Record<string, number>>): string =>
  Object.entries(memory)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, mb]) => `${processWord(name)} ${mb} MB`)
    .join(', ');
