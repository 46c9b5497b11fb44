import type { FieldModel, Model, RelationModel } from '../model.ts';

/** Part of a JavaScript expression that builds text: fixed text, or code. */
type CodePart = { readonly text: string } | { readonly code: string };

const textPart = (value: string): CodePart => ({ text: value });
const codePart = (value: string): CodePart => ({ code: value });

/** Joins the pieces into one expression. Neighbouring fixed texts become one literal. */
export function expressionOf(pieces: readonly CodePart[]): string {
  const mergedParts: string[] = [];
  let fixedText = '';
  for (const piece of pieces) {
    if ('text' in piece) {
      fixedText += piece.text;
      continue;
    }
    mergedParts.push(JSON.stringify(fixedText), piece.code);
    fixedText = '';
  }
  return [...mergedParts, JSON.stringify(fixedText)].join('+');
}

/** Code that reads a column. Column names are identifiers from the definitions. */
const columnCode = (name: string): string => `row.${name}`;

const encodedCode = ({ definition, column: name }: FieldModel): string => {
  const { sealed, type, zero_unless, less } = definition;
  const stored = sealed ? `open(row,"${name}")` : columnCode(name);
  const value = `encode.${type}(${less ? `String(${stored}-${columnCode(less)})` : stored})`;
  if (!zero_unless) return value;
  return `(${JSON.stringify(zero_unless.values)}.includes(${columnCode(zero_unless.column)})?${value}:"0")`;
};

/** Pieces of the attributes object, such as `{"email":…,"name":…}`. */
export function attributesPieces(fields: readonly FieldModel[]): CodePart[] {
  const unconditionalFields = fields.filter(({ definition }) => !definition.absent_until);
  return [
    textPart('{'),
    ...unconditionalFields.flatMap((field, index) => [
      textPart(`${index > 0 ? ',' : ''}"${field.name}":`),
      codePart(encodedCode(field)),
    ]),
    ...absentPieces(fields, unconditionalFields.length > 0),
    textPart('}'),
  ];
}

/**
 * Pieces for fields that are omitted until a column is true. Each begins with a comma. Without
 * a predecessor, the first comma is removed.
 */
function absentPieces(fields: readonly FieldModel[], hasPredecessor: boolean): CodePart[] {
  const members = fields.flatMap((field) => {
    const { absent_until } = field.definition;
    if (!absent_until) return [];
    const presenceCode = `encode.boolean(${columnCode(absent_until)})==="true"`;
    return [`(${presenceCode}?${JSON.stringify(`,"${field.name}":`)}+${encodedCode(field)}:"")`];
  });
  if (members.length === 0) return [];
  return [codePart(hasPredecessor ? members.join('+') : `(${members.join('+')}).slice(1)`)];
}

interface ResourceShape {
  readonly model: Model;
  readonly fields: readonly FieldModel[];
  readonly relations: readonly RelationModel[];
  /** Whether the client requested a sparse fieldset, which omits empty members. */
  readonly isSparse: boolean;
  readonly base_url: string;
}

/** Pieces of the resource object of `row`. To-many linkage comes from `linkage(relation, type, id)`. */
export function resourcePieces({
  model,
  fields,
  relations,
  isSparse,
  base_url,
}: ResourceShape): CodePart[] {
  const collectionUrl = jsonInner(`${base_url}/v2/${model.type}/`);
  const isShown = (members: readonly unknown[]) => !isSparse || members.length > 0;
  return [
    textPart(`{"type":"${model.type}","id":"`),
    codePart('row.id'),
    textPart('"'),
    ...(isShown(fields) ? [textPart(',"attributes":'), ...attributesPieces(fields)] : []),
    ...(isShown(relations)
      ? [textPart(',"relationships":'), ...relationsPieces(relations, collectionUrl)]
      : []),
    textPart(`,"links":{"self":"${collectionUrl}`),
    codePart('row.id'),
    textPart('"}'),
    ...(model.meta.length > 0 ? [codePart('meta(row)')] : []),
    textPart('}'),
  ];
}

function relationsPieces(relations: readonly RelationModel[], collectionUrl: string): CodePart[] {
  return [
    textPart('{'),
    ...relations.flatMap((relation, index) => [
      textPart(`${index > 0 ? ',' : ''}"${relation.name}":{"links":{"self":"${collectionUrl}`),
      codePart('row.id'),
      textPart(`/relationships/${relation.name}","related":"${collectionUrl}`),
      codePart('row.id'),
      textPart(`/relationships/${relation.name}"}`),
      ...linkagePieces(relation),
      textPart('}'),
    ]),
    textPart('}'),
  ];
}

function linkagePieces({ name, many, column: foreignKey, target }: RelationModel): CodePart[] {
  if (many) return [codePart(`linkage("${name}","${target.type}",row.id)`)];
  const start = JSON.stringify(`{"type":"${target.type}","id":"`);
  return [
    textPart(',"data":'),
    codePart(
      `(${columnCode(foreignKey)}==null?"null":${start}+${columnCode(foreignKey)}+${JSON.stringify('"}')})`,
    ),
  ];
}

const jsonInner = (value: string): string => JSON.stringify(value).slice(1, -1);
