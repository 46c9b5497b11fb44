import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import GithubSlugger from 'github-slugger';

/** Files of the repository, to which links and paths in documents lead. */
export interface Library {
  /** Problem of a link in a file; undefined if the link is good or leads elsewhere. */
  linkProblem(file: string, link: string): string | undefined;
  /** Problem of a code span that names a source file; undefined for other code. */
  pathProblem(file: string, code: string): string | undefined;
}

const SOURCES =
  '{packages,docs,e2e,examples,scripts,bench,faults,rehearsals}/**/*.{ts,tsx,vue,sql,md}';
const EXCLUDED = ['**/node_modules/**', '**/dist/**', '**/.build/**'];
const SITE = 'docs/pages';
/** A path or name of a source file, without placeholders. */
const SOURCE_PATH = /^[\w@.-]+(?:\/[\w@.-]+)*\.(?:ts|tsx|vue|sql)$/;
/** Pages name files of merchants too, and the changelog names files of earlier versions. */
const NAMES_OTHER_FILES = /^(?:docs\/pages\/|CHANGELOG\.md$)/;

export function openLibrary(root: string): Library {
  const anchorsByFile = new Map<string, ReadonlySet<string>>();
  const anchorsOf = (file: string): ReadonlySet<string> => {
    const anchors = anchorsByFile.get(file) ?? anchorsIn(readFileSync(join(root, file), 'utf8'));
    anchorsByFile.set(file, anchors);
    return anchors;
  };
  const sources = Map.groupBy(globSync(SOURCES, { cwd: root, exclude: EXCLUDED }), (path) =>
    basename(path),
  );
  return {
    linkProblem(file, link) {
      if (/^(?:[a-z]+:|\/\/)/i.test(link)) return undefined;
      const [path = '', anchor] = link.split('#');
      const target = targetOf(root, file, decodeURI(path));
      if (target === undefined) return undefined;
      if (!existsSync(join(root, target))) return `${target} does not exist: link a file that does`;
      if (!anchor || !target.endsWith('.md') || anchorsOf(target).has(anchor)) return undefined;
      return `${target} has no heading #${anchor}: link one that it has`;
    },
    pathProblem(file, code) {
      if (NAMES_OTHER_FILES.test(file) || !SOURCE_PATH.test(code)) return undefined;
      const isKnown = sources.get(basename(code))?.some((path) => `/${path}`.endsWith(`/${code}`));
      return isKnown ? undefined : `no file is named ${code}: write its present path`;
    },
  };
}

/** Path of a link's target. Undefined for generated pages, which the site's build checks. */
function targetOf(root: string, file: string, path: string): string | undefined {
  if (path === '') return file;
  if (!path.startsWith('/')) return relative(root, join(root, dirname(file), path)) || '.';
  const page = join(SITE, path);
  return [`${page}.md`, join(page, 'index.md')].find((name) => existsSync(join(root, name)));
}

/** Ids of a document's headings, as GitHub and the site make them. */
function anchorsIn(markdown: string): ReadonlySet<string> {
  const slugger = new GithubSlugger();
  const withoutCode = markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  return new Set(
    [...withoutCode.matchAll(/^#{1,6} +(.+?)(?: \{#([\w-]+)\})?$/gm)].map(
      ([, heading = '', id]) => id ?? slugger.slug(plainText(heading)),
    ),
  );
}

const plainText = (heading: string): string =>
  heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
