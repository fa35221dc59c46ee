// Builds the web app once for each language into build/client: pages in a folder per language, scripts and styles side by side in assets.
import { spawn } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const CLIENT = join(ROOT, 'build', 'client')
const { bin } = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('@react-router/dev/package.json')), 'utf8'))
const reactRouter = join(dirname(fileURLToPath(import.meta.resolve('@react-router/dev/package.json'))), bin['react-router'])

const directoryOf = (language) => join(ROOT, 'build', `in-${language}`)

const build = (language) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [reactRouter, 'build'], {
      cwd: ROOT,
      env: { ...process.env, VITE_LANGUAGE: language, BUILD_DIRECTORY: directoryOf(language) },
      stdio: 'inherit',
    })
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the build in '${language}' ended with ${code}`))))
  })

const { languages } = await import('@pool/contract/languages')
// One after the other: each starts a server of its own to write its pages, and two at once could meet on a port.
for (const language of languages) await build(language)
rmSync(CLIENT, { recursive: true, force: true })
const scriptsIn = {}
for (const language of languages) {
  const made = join(directoryOf(language), 'client')
  for (const file of globSync('**/*', { cwd: made, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name).slice(made.length + 1)
    const target = path.endsWith('.html') ? join(CLIENT, language, path) : join(CLIENT, path)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(made, path), target)
  }
  scriptsIn[language] = globSync('assets/*.js', { cwd: made }).map((path) => `/${path}`)
  rmSync(directoryOf(language), { recursive: true, force: true })
}

// A page that is not prerendered would ask for its code in four steps, each after the one before has arrived: a document of its own names all of
// it. Its style sheets are there before anything is drawn, so that nothing is seen without them and then moves.
const routesOf = (directory, html) => {
  const script = readFileSync(join(directory, html.match(/assets\/manifest-[\w-]+\.js/)[0]), 'utf8')
  return JSON.parse(script.slice(script.indexOf('{'), script.lastIndexOf('}') + 1)).routes
}
const ahead = {
  dashboard: { routes: ['Shell', 'guards/requireLogin', 'pages/dashboard/Dashboard'], lazy: ['UserDashboard'], fonts: ['newsreader'] },
  admin: { routes: ['Shell', 'guards/requireStaff', 'pages/admin/AdminDashboard'], lazy: [], fonts: [] },
}
// The style sheets that Vite fetches with a script that is imported on demand: places in the list at the top of the script that imports it.
const styleSheetsOf = (script, importer) => {
  const code = readFileSync(join(CLIENT, importer), 'utf8')
  const files = JSON.parse(code.match(/m\.f=(\[[^\]]*\])/)[1])
  const [, places] = code.slice(code.lastIndexOf(basename(script))).match(/__vite__mapDeps\((\[[\d,]*\])/)
  return JSON.parse(places)
    .map((place) => `/${files[place]}`)
    .filter((file) => file.endsWith('.css'))
}
const importsOf = (path) =>
  [...readFileSync(join(CLIENT, path), 'utf8').matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)].map(([, name]) => `/assets/${name}`)
for (const language of languages) {
  const html = readFileSync(join(CLIENT, language, '__spa-fallback.html'), 'utf8')
  const routes = routesOf(CLIENT, html)
  for (const [page, { routes: ids, lazy, fonts }] of Object.entries(ahead)) {
    const lazyScripts = lazy.map((name) => scriptsIn[language].find((path) => path.startsWith(`/assets/${name}-`)))
    const scripts = new Set([
      ...ids.flatMap((id) => [routes[id].module, ...(routes[id].imports ?? [])]),
      ...lazyScripts.flatMap((path) => [path, ...importsOf(path)]),
    ])
    const importer = routes[ids.at(-1)].module
    const styles = new Set([
      ...ids.flatMap((id) => routes[id].css ?? []).map((path) => path.replace('#', '')),
      ...lazyScripts.flatMap((path) => styleSheetsOf(path, importer)),
    ])
    const links = [
      ...fonts
        .flatMap((name) => globSync(`assets/${name}-*.woff2`, { cwd: CLIENT }))
        .map((path) => `<link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href="/${path}"/>`),
      ...[...styles].map((path) => `<link rel="stylesheet" href="${path}"/>`),
      ...[...scripts].filter((path) => !html.includes(path)).map((path) => `<link rel="modulepreload" href="${path}"/>`),
    ]
    mkdirSync(join(CLIENT, language, page), { recursive: true })
    writeFileSync(join(CLIENT, language, page, 'index.html'), html.replace('</head>', `${links.join('')}</head>`))
  }
}

// What is needed to draw comes first, then what is needed to act: scripts that share the line with the style sheets hold up the first paint.
const later = /<link rel="modulepreload"[^>]*>/g
for (const page of globSync('*/**/*.html', { cwd: CLIENT })) {
  const html = readFileSync(join(CLIENT, page), 'utf8')
  const links = [...new Set(html.match(later) ?? [])].map((link) =>
    link.replace('rel="modulepreload"', 'rel="modulepreload" fetchpriority="low"'),
  )
  writeFileSync(join(CLIENT, page), html.replaceAll(later, '').replace('</head>', `${links.join('')}</head>`))
}

// Compressed once here, as small as it gets, rather than at every request. Pages are not: the server puts the operator's values in first.
for (const file of globSync('**/*.{js,css,svg,txt}', { cwd: CLIENT })) {
  const path = join(CLIENT, file)
  const content = readFileSync(path)
  writeFileSync(`${path}.br`, brotliCompressSync(content))
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
}
