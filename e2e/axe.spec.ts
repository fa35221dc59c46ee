import { expect } from '@playwright/test'
import { colourViolations, violations } from './axe.ts'
import { test } from './fixtures.ts'
import { expectAccessible, settled } from './steps.ts'

/** The check of colours looks at one text of each colouring, and misses none. */

test('a faulty colour is found each time', async ({ open }) => {
  const page = await open(undefined, '/login', { own: { bypassCSP: true } })
  // A page that still begins would draw itself over the texts below.
  await settled(page)
  const make = (html: string) =>
    page.evaluate((inner) => {
      const main = document.querySelector('main')
      if (main) main.innerHTML = `<h1>Colours</h1>${inner}`
    }, html)
  const found = async () => (await colourViolations(page)).join()
  const fine = '<p class="x" style="color: #000; background: #fff">Fine</p>'

  await test.step('twice in a row, and beside a text that passes', async () => {
    await make(`${fine}<p class="x" style="color: #ccc; background: #fff">Pale</p>`)
    expect(await found()).toContain('color-contrast: <p class="x" style="color: #ccc')
    expect(await violations(page)).toHaveLength(1)
  })
  await test.step('where the text has passed on another ground', async () => {
    await make(fine)
    expect(await violations(page)).toEqual([])
    await make(`<div style="background: #333">${fine.replace('background: #fff', '')}</div>`)
    expect(await found()).toContain('color-contrast')
    await make(`<div style="opacity: 0.4">${fine}</div>`)
    expect(await found()).toContain('color-contrast')
  })
  await test.step('where another element hid the text before', async () => {
    const pale = '<p class="y" style="color: #ccc; background: #fff">Pale</p>'
    const cover =
      '<div style="position: absolute; inset: 0; background: #fff; z-index: 9999"></div>'
    await make(`<div style="position: relative">${pale}${cover}</div>`)
    expect(await violations(page)).toEqual([])
    await make(`<div style="position: relative">${pale}${cover}</div><div>${pale}</div>`)
    expect(await found()).toContain('class="y"')
  })
  await test.step('in the dark alone, on a phone', async () => {
    await make(
      '<style>@media (prefers-color-scheme: dark) { .z { color: #222 !important } }</style><p class="z" style="color: #000; background: #fff">Light</p>',
    )
    expect(await violations(page)).toEqual([])
    await make(
      '<style>@media (prefers-color-scheme: dark) { .z { color: #eee !important } }</style><p class="z" style="color: #000; background: #fff">Light</p>',
    )
    await expect(expectAccessible(page, 'dark')).rejects.toThrow(/color-contrast/)
  })
})
