/** A paragraph of an email, or the label of a link with its address. */
interface MailParagraph {
  readonly text: string;
  readonly url?: string;
}

/** Label of a button and its address, as emails in plain text have them. */
const BUTTON = /^(.+?)\s?:\n(https?:\S+)$/;

/** Returns the paragraphs of an email in plain text. */
export const paragraphsOf = (text: string): readonly MailParagraph[] =>
  text.split('\n\n').map((paragraph) => {
    const [, label, url] = BUTTON.exec(paragraph) ?? [];
    return label && url ? { text: label, url } : { text: paragraph };
  });
