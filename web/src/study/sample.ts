// A game to show what a study is, for those who have none yet: played by two of this program's own levels.
export const SAMPLE = {
  moves: 'd3e3f5e6f4c4b4c5c6b6d6c3b2b3f2b1d7g5h5g1c2d1a7g6e2f3a1g4a3d8h3f6c8g3d2b8g2a4c1f7e8a2e1g7h4h2e7c7h7h6h1a6a8f1g8h8b7f8a5b5',
  /** How it looks in the middle. */
  board: '-'.repeat(27) + 'OX------XO' + '-'.repeat(27),
} as const
