/** A tab of a code group. */
interface Tab {
  readonly title: string;
  /** Language of the fenced block. */
  readonly fence: string;
}

/** Renders a group of fenced blocks with a tab for each. */
export function codeGroup<T extends Tab>(tabs: readonly T[], render: (tab: T) => string): string {
  const blocks = tabs.map(
    (tab) => `\`\`\`${tab.fence} [${tab.title}]\n${render(tab).trimEnd()}\n\`\`\``,
  );
  return `::: code-group\n\n${blocks.join('\n\n')}\n\n:::`;
}
