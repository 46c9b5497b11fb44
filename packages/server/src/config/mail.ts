import type { MailServer } from '../platform/emails/mailer.ts';

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;
const isProtocol = (text: string): text is keyof typeof PORTS => Object.hasOwn(PORTS, text);

/**
 * Parses a mail server's URL: `smtp://` or `smtps://`, a host, and optionally port, user and
 * password. Undefined for anything else.
 */
export function parseMailServer(text: string): Omit<MailServer, 'from'> | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (!isProtocol(protocol) || !hostname || `${search}${hash}${pathname.slice(1)}`)
    return undefined;
  if (!!username !== !!password) return undefined;
  const [user, pass] = [username, password].map(decodeText);
  if (user === undefined || pass === undefined) return undefined;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : PORTS[protocol],
    secure: protocol === 'smtps:',
    ...(user && { auth: { user, pass } }),
  };
}

function decodeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Whether the text is an email address alone, without a name. */
export const isAddress = (text: string): boolean =>
  /^[^\s@,;<>"]+@[^\s@.,;<>"]+(\.[^\s@.,;<>"]+)+$/.test(text);
