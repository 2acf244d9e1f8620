import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  specifier: string;
  /** Erased by the compiler: nothing is loaded for it at run time. */
  typeOnly: boolean;
  /** An `import()`: loaded when it is reached, and not with the file. */
  later: boolean;
}

/** Every file of the package that is published, with `/`, relative to the package. */
export function sourcesOf(name: string): string[] {
  return filesBelow(join(root, 'packages', name, 'src'))
    .map((file) => `src/${file}`)
    .filter((file) => /\.tsx?$/.test(file) && !isForTests(name, file));
}

/** Tests and what only they use. The contract suites of core are published. */
function isForTests(name: string, file: string): boolean {
  return (
    /\.(?:test|fixture)\.tsx?$/.test(file) ||
    (name !== 'review-core' && /\/(?:testing|test-support)\//.test(file))
  );
}

/** Regular files below a directory, with `/`, sorted. */
export function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(directory.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}

export function parse(name: string, file: string): ts.SourceFile {
  const text = readFileSync(join(root, 'packages', name, file), 'utf8');
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
}

/** Static imports and re-exports, and dynamic imports, of one file. */
export function importsOf(source: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      add(found, node.moduleSpecifier, node.importClause?.isTypeOnly ?? false);
    else if (ts.isExportDeclaration(node)) add(found, node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(found, node.arguments[0], false, true);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(found, node.argument.literal, true);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function add(found: Import[], node: ts.Node | undefined, typeOnly: boolean, later = false): void {
  if (node !== undefined && ts.isStringLiteral(node)) found.push({ specifier: node.text, typeOnly, later });
}

/** A relative specifier as a path below the package; null when it names another package. */
export function within(file: string, specifier: string): string | null {
  return specifier.startsWith('.') ? posix.join(dirname(file), specifier) : null;
}

/** The names of the types that a file exports or passes on. */
export function exportedTypes(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement) && statement.exportClause !== undefined) {
      if (!ts.isNamedExports(statement.exportClause)) return [];
      return statement.exportClause.elements
        .filter((element) => statement.isTypeOnly || element.isTypeOnly)
        .map((element) => element.name.text);
    }
    const declares = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    return declares && isExported(statement) ? [statement.name.text] : [];
  });
}

function isExported(node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

/** The specifiers of `export *`: what it opens is nobody's decision. */
export function starExports(source: ts.SourceFile): string[] {
  return source.statements
    .filter(ts.isExportDeclaration)
    .filter(({ exportClause }) => exportClause === undefined || ts.isNamespaceExport(exportClause))
    .map(({ moduleSpecifier }) => moduleSpecifier?.getText() ?? '');
}
