import { type ProblemError, problem } from '@florin/contract/errors.ts';

/** JSON:API media type of every response. `profile` is its only parameter. */
export const MEDIA_TYPE = 'application/vnd.api+json';

/** Media type of a document with a profile. */
export const mediaTypeWith = (profile: string): string => `${MEDIA_TYPE}; profile="${profile}"`;

interface MediaType {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Splits at `separator` outside quoted strings. */
function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const pieces: string[] = [];
  let pieceStart = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (isQuoted && char === '\\') at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === separator && !isQuoted) {
      pieces.push(text.slice(pieceStart, at));
      pieceStart = at + 1;
    }
  }
  pieces.push(text.slice(pieceStart));
  return pieces;
}

const unquote = (value: string): string =>
  /^".*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;

function parseMediaType(text: string): MediaType {
  const [name = '', ...parameterTexts] = splitUnquoted(text, ';').map((part) => part.trim());
  const pairs = parameterTexts
    .filter((part) => part !== '')
    .map((part): [string, string] => {
      const [key = '', ...value] = part.split('=');
      return [key.trim().toLowerCase(), unquote(value.join('=').trim())];
    });
  return { name: name.toLowerCase(), parameters: new Map(pairs) };
}

/** Profiles are optional hints. Extensions are unsupported, and JSON:API forbids other parameters. */
const isPlain = ({ parameters }: MediaType, weight?: 'q'): boolean =>
  [...parameters].every(
    ([name, value]) => name === 'profile' || name === weight || (name === 'ext' && value === ''),
  );

/** Whether an Accept range includes its media type; weight 0 excludes the type. */
const isWanted = ({ parameters }: MediaType): boolean => Number(parameters.get('q') ?? 1) !== 0;

const noProfiles: ReadonlySet<string> = new Set();

/**
 * Profiles that the client requests. Throws `not_acceptable` (406) unless the client accepts plain JSON:API;
 * a missing header accepts it. The most specific matching ranges decide: JSON:API, then `application/*`, then
 * all types.
 */
export function checkAccept(accept: string | undefined): ReadonlySet<string> {
  if (accept === undefined || accept === MEDIA_TYPE || accept === '*/*') return noProfiles;
  const ranges = splitUnquoted(accept, ',').map(parseMediaType);
  const exactRanges = ranges.filter(({ name }) => name === MEDIA_TYPE);
  const applicationRanges = ranges.filter(({ name }) => name === 'application/*');
  const wildcardRanges = ranges.filter(({ name }) => name === '*/*');
  const mostSpecific =
    [exactRanges, applicationRanges, wildcardRanges].find(({ length }) => length > 0) ?? [];
  const acceptedRanges = mostSpecific.filter(
    (range) => isWanted(range) && (range.name !== MEDIA_TYPE || isPlain(range, 'q')),
  );
  if (accept.trim() !== '' && acceptedRanges.length === 0) {
    throw problem(
      'not_acceptable',
      `Responses are ${MEDIA_TYPE} without parameters. Set the header Accept to that type.`,
      {
        header: 'Accept',
      },
    );
  }
  const profiles = acceptedRanges.flatMap(
    ({ parameters }) => parameters.get('profile')?.split(' ') ?? [],
  );
  return profiles.length > 0 ? new Set(profiles.filter((uri) => uri !== '')) : noProfiles;
}

/** Throws `unsupported_media_type` (415) unless the body's type is JSON:API. */
export function checkContentType(contentType: string | undefined): void {
  if (contentType === MEDIA_TYPE) return;
  const type = parseMediaType(contentType ?? '');
  if (type.name === MEDIA_TYPE && isPlain(type)) return;
  throw unsupportedMediaType();
}

/** The error of a body whose type is not JSON:API. */
export const unsupportedMediaType = (): ProblemError =>
  problem(
    'unsupported_media_type',
    `Set the header Content-Type to ${MEDIA_TYPE}, without parameters.`,
    {
      header: 'Content-Type',
    },
  );
