import type { FieldModel, Model, RelationModel } from '../model.ts';

/** Part of a JavaScript expression that builds text: fixed text, or code. */
type CodePart = { readonly text: string } | { readonly code: string };

const text = (value: string): CodePart => ({ text: value });
const code = (value: string): CodePart => ({ code: value });

/** Joins the pieces into one expression. Neighbouring fixed texts become one literal. */
export function expressionOf(pieces: readonly CodePart[]): string {
  const merged: string[] = [];
  let fixed = '';
  for (const piece of pieces) {
    if ('text' in piece) {
      fixed += piece.text;
      continue;
    }
    merged.push(JSON.stringify(fixed), piece.code);
    fixed = '';
  }
  return [...merged, JSON.stringify(fixed)].join('+');
}

/** Code that reads a column. Column names are identifiers from the definitions. */
const column = (name: string): string => `row.${name}`;

const encoded = ({ definition, column: name }: FieldModel): string => {
  const { sealed, type, zero_unless } = definition;
  const value = `encode.${type}(${sealed ? `open(row,"${name}")` : column(name)})`;
  if (!zero_unless) return value;
  return `(${JSON.stringify(zero_unless.values)}.includes(${column(zero_unless.column)})?${value}:"0")`;
};

/** Pieces of the attributes object, such as `{"email":…,"name":…}`. */
export function attributesPieces(fields: readonly FieldModel[]): CodePart[] {
  const always = fields.filter(({ definition }) => !definition.absent_until);
  return [
    text('{'),
    ...always.flatMap((field, index) => [
      text(`${index > 0 ? ',' : ''}"${field.name}":`),
      code(encoded(field)),
    ]),
    ...absentPieces(fields, always.length > 0),
    text('}'),
  ];
}

/**
 * Pieces for fields that are omitted until a column is true. Each begins with a comma, except a first one
 * without predecessor.
 */
function absentPieces(fields: readonly FieldModel[], follows: boolean): CodePart[] {
  const members = fields.flatMap((field) => {
    const { absent_until } = field.definition;
    if (!absent_until) return [];
    const present = `encode.boolean(${column(absent_until)})==="true"`;
    return [`(${present}?${JSON.stringify(`,"${field.name}":`)}+${encoded(field)}:"")`];
  });
  if (members.length === 0) return [];
  return [code(follows ? members.join('+') : `(${members.join('+')}).slice(1)`)];
}

interface ResourceShape {
  readonly model: Model;
  readonly fields: readonly FieldModel[];
  readonly relations: readonly RelationModel[];
  /** Whether the client requested a sparse fieldset, which omits empty members. */
  readonly chosen: boolean;
  readonly base_url: string;
}

/** Pieces of the resource object of `row`. To-many linkage comes from `linkage(relation, type, id)`. */
export function resourcePieces({
  model,
  fields,
  relations,
  chosen,
  base_url,
}: ResourceShape): CodePart[] {
  const self = jsonInner(`${base_url}/v2/${model.type}/`);
  const shows = (members: readonly unknown[]) => !chosen || members.length > 0;
  return [
    text(`{"type":"${model.type}","id":"`),
    code('row.id'),
    text('"'),
    ...(shows(fields) ? [text(',"attributes":'), ...attributesPieces(fields)] : []),
    ...(shows(relations) ? [text(',"relationships":'), ...relationsPieces(relations, self)] : []),
    text(`,"links":{"self":"${self}`),
    code('row.id'),
    text('"}'),
    ...(model.meta.length > 0 ? [code('meta(row)')] : []),
    text('}'),
  ];
}

function relationsPieces(relations: readonly RelationModel[], self: string): CodePart[] {
  return [
    text('{'),
    ...relations.flatMap((relation, index) => [
      text(`${index > 0 ? ',' : ''}"${relation.name}":{"links":{"self":"${self}`),
      code('row.id'),
      text(`/relationships/${relation.name}","related":"${self}`),
      code('row.id'),
      text(`/relationships/${relation.name}"}`),
      ...linkagePieces(relation),
      text('}'),
    ]),
    text('}'),
  ];
}

function linkagePieces({ name, many, column: key, target }: RelationModel): CodePart[] {
  if (many) return [code(`linkage("${name}","${target.type}",row.id)`)];
  const start = JSON.stringify(`{"type":"${target.type}","id":"`);
  return [
    text(',"data":'),
    code(`(${column(key)}==null?"null":${start}+${column(key)}+${JSON.stringify('"}')})`),
  ];
}

const jsonInner = (value: string): string => JSON.stringify(value).slice(1, -1);
