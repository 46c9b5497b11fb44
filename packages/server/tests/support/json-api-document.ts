/** Checks documents against the JSON:API 1.1 specification, independently of the server's code. */
type Json = Readonly<Record<string, unknown>>;

const MEMBER_NAME =
  /^[A-Za-z0-9\u0080-\uffff](?:[A-Za-z0-9\u0080-\uffff_ -]*[A-Za-z0-9\u0080-\uffff])?$/;
/** Characters of a URI reference (RFC 3986). */
const URI = /^(?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;
const PAGE_LINKS = ['first', 'last', 'prev', 'next'];

/** Whether JSON:API allows the member name. */
export const isMemberName = (name: string): boolean => MEMBER_NAME.test(name);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All violations in a document; empty if the document conforms. */
export function violationsOf(document: unknown): string[] {
  if (!isObject(document)) return ['the document is no object'];
  const has = (name: string): boolean => name in document;
  return [
    ...unknownMembers('document', document, [
      'data',
      'errors',
      'meta',
      'jsonapi',
      'links',
      'included',
    ]),
    ...problemUnless(has('data') || has('errors') || has('meta'), 'no data, errors or meta'),
    ...problemUnless(!(has('data') && has('errors')), 'both data and errors'),
    ...problemUnless(!has('included') || has('data'), 'included without data'),
    ...versionViolations(document.jsonapi),
    ...linkViolations('document', document.links, [
      'self',
      'related',
      'describedby',
      ...PAGE_LINKS,
    ]),
    ...problemUnless(!has('meta') || isObject(document.meta), 'meta is no object'),
    ...(has('errors') ? errorsViolations(document.errors) : dataViolations(document)),
  ];
}

const problemUnless = (isValid: boolean, text: string): string[] => (isValid ? [] : [text]);

const unknownMembers = (
  location: string,
  object: Json,
  allowedNames: readonly string[],
): string[] =>
  Object.keys(object)
    .filter((name) => !allowedNames.includes(name) && !name.startsWith('@'))
    .map((name) => `${location} has the member ${name}`);

const versionViolations = (jsonapi: unknown): string[] =>
  jsonapi === undefined
    ? []
    : [
        ...problemUnless(
          isObject(jsonapi) && jsonapi.version === '1.1',
          'jsonapi.version is not "1.1"',
        ),
        ...unknownMembers('jsonapi', jsonapi as Json, ['version', 'profile']),
      ];

const isUri = (value: unknown): boolean => typeof value === 'string' && URI.test(value);
const LINK_MEMBERS = ['href', 'rel', 'describedby', 'title', 'type', 'hreflang', 'meta'];

/** Whether a link is invalid: neither a URI reference, a link object nor null. */
export function isInvalidLink(link: unknown): boolean {
  if (!isObject(link)) return link !== null && !isUri(link);
  return !isUri(link.href) || Object.keys(link).some((name) => !LINK_MEMBERS.includes(name));
}

function linkViolations(
  location: string,
  links: unknown,
  allowedNames: readonly string[],
): string[] {
  if (links === undefined) return [];
  if (!isObject(links)) return [`${location} links are no object`];
  const invalidLinks = Object.entries(links).filter(([, link]) => isInvalidLink(link));
  return [
    ...unknownMembers(`${location} links`, links, allowedNames),
    ...invalidLinks.map(([name]) => `${location} link ${name} is no link`),
  ];
}

const ERROR_MEMBERS = ['id', 'links', 'status', 'code', 'title', 'detail', 'source', 'meta'];

function errorsViolations(errors: unknown): string[] {
  if (!Array.isArray(errors) || errors.length === 0) return ['errors is no filled array'];
  return errors.flatMap((error: unknown) => {
    if (!isObject(error)) return ['an error is no object'];
    const { source } = error;
    const invalidTexts = ['id', 'status', 'code', 'title', 'detail'].filter(
      (name) => typeof error[name] !== 'string' || error[name] === '',
    );
    return [
      ...unknownMembers('error', error, ERROR_MEMBERS),
      ...invalidTexts.map((name) => `error ${name} is no text`),
      ...linkViolations('error', error.links, ['about', 'type']),
      ...problemUnless(
        source === undefined || (isObject(source) && hasOneText(source)),
        'source is not one place',
      ),
    ];
  });
}

const hasOneText = (source: Json): boolean => {
  const [entry, ...otherMembers] = Object.entries(source);
  return (
    otherMembers.length === 0 &&
    ['pointer', 'parameter', 'header'].includes(entry?.[0] ?? '') &&
    typeof entry?.[1] === 'string'
  );
};

function dataViolations({ data, included = [] }: Json): string[] {
  const primaryRecords = data === null ? [] : [data].flat();
  const resources = [...primaryRecords, ...(included as unknown[])];
  const names = resources.filter(isObject).map(({ type, id }) => `${type} ${id}`);
  return [
    ...resources.flatMap(resourceViolations),
    ...problemUnless(new Set(names).size === names.length, 'a record comes twice'),
  ];
}

const RESOURCE_MEMBERS = ['type', 'id', 'attributes', 'relationships', 'links', 'meta'];

function resourceViolations(resource: unknown): string[] {
  if (!isObject(resource)) return ['a record is no object'];
  const { type, id, attributes = {}, relationships = {}, links } = resource;
  if (!isObject(attributes) || !isObject(relationships)) return ['fields are no objects'];
  const names = [...Object.keys(attributes), ...Object.keys(relationships)];
  return [
    ...unknownMembers('record', resource, RESOURCE_MEMBERS),
    ...problemUnless(typeof type === 'string' && typeof id === 'string', 'type or id is no string'),
    ...problemUnless(new Set(names).size === names.length, 'a name is attribute and relationship'),
    ...names.filter((name) => !MEMBER_NAME.test(name)).map((name) => `illegal name ${name}`),
    ...problemUnless(
      !names.some((name) => name === 'id' || name === 'type'),
      'a field is called id or type',
    ),
    ...problemUnless(
      isObject(links) && typeof links.self === 'string',
      'a record has no links.self',
    ),
    ...linkViolations('record', links, ['self']),
    ...Object.values(relationships).flatMap(relationshipViolations),
  ];
}

function relationshipViolations(relationship: unknown): string[] {
  if (!isObject(relationship)) return ['a relationship is no object'];
  const { data } = relationship;
  const linkage = data === undefined || data === null ? [] : [data].flat();
  return [
    ...unknownMembers('relationship', relationship, ['links', 'data', 'meta']),
    ...linkViolations('relationship', relationship.links, ['self', 'related']),
    ...problemUnless('links' in relationship || 'data' in relationship, 'a relationship is empty'),
    ...problemUnless(linkage.every(isIdentifier), 'linkage is no identifier'),
  ];
}

const isIdentifier = (value: unknown): boolean =>
  isObject(value) &&
  Object.keys(value).sort().join() === 'id,type' &&
  Object.values(value).every((part) => typeof part === 'string');
