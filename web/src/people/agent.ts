// What a browser calls itself, in the two words by which its owner knows it.

const BROWSERS: readonly (readonly [said: RegExp, name: string])[] = [
  // Each of them says that it is also those below it.
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [said: RegExp, name: string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** "Firefox · Linux"; what it says itself, where that is not known; nothing where it says nothing. */
export function agentName(agent: string): string {
  const known = [BROWSERS, SYSTEMS].flatMap((all) => all.find(([said]) => said.test(agent))?.[1] ?? [])
  return known.join('\u00a0· ') || agent
}
