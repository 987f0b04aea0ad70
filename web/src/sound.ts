// Short, soft, wooden sounds, made here: a knock is a little filtered noise over a falling tone.

let context: AudioContext | null = null
let noise: AudioBuffer | null = null

/** A browser lets a page sound only after the first touch or key; this is called from such an event. */
function ready(): AudioContext | null {
  try {
    context ??= new AudioContext()
    if (context.state === 'suspended') void context.resume()
    return context
  } catch {
    return null
  }
}

function hiss(audio: AudioContext): AudioBuffer {
  if (noise) return noise
  noise = audio.createBuffer(1, audio.sampleRate / 10, audio.sampleRate)
  const data = noise.getChannelData(0)
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length)
  return noise
}

function knock(at: number, pitch: number, loud: number, length = 0.07): void {
  const audio = ready()
  if (!audio) return
  const start = audio.currentTime + at
  const out = audio.createGain()
  out.gain.setValueAtTime(loud, start)
  out.gain.exponentialRampToValueAtTime(0.0001, start + length)
  out.connect(audio.destination)

  const tone = audio.createOscillator()
  tone.type = 'sine'
  tone.frequency.setValueAtTime(pitch * 1.6, start)
  tone.frequency.exponentialRampToValueAtTime(pitch, start + length / 3)
  tone.connect(out)
  tone.start(start)
  tone.stop(start + length)

  const grain = audio.createBufferSource()
  grain.buffer = hiss(audio)
  const band = audio.createBiquadFilter()
  band.type = 'bandpass'
  band.frequency.value = pitch * 4
  band.Q.value = 1.2
  grain.connect(band).connect(out)
  grain.start(start, 0, length)
}

function tone(at: number, pitch: number, loud: number, length: number): void {
  const audio = ready()
  if (!audio) return
  const start = audio.currentTime + at
  const out = audio.createGain()
  out.gain.setValueAtTime(0.0001, start)
  out.gain.exponentialRampToValueAtTime(loud, start + 0.02)
  out.gain.exponentialRampToValueAtTime(0.0001, start + length)
  const source = audio.createOscillator()
  source.type = 'triangle'
  source.frequency.value = pitch
  source.connect(out).connect(audio.destination)
  source.start(start)
  source.stop(start + length)
}

export const sounds = {
  /** Gets ready, if the browser lets it: the first sound would else cost the first move its frames. */
  wake: () => {
    if (navigator.userActivation?.hasBeenActive)
      setTimeout(() => {
        const audio = ready()
        if (audio) hiss(audio)
      }, 200)
  },
  place: () => knock(0, 240, 0.5),
  /** One sound for many discs: a soft run of ticks, never longer than the turning itself. */
  turn: (discs: number) => {
    for (let i = 0; i < Math.min(discs, 6); i++) knock(0.09 + i * 0.035, 420 + i * 18, 0.12, 0.04)
  },
  pass: () => {
    tone(0.25, 330, 0.16, 0.18)
    tone(0.42, 262, 0.16, 0.28)
  },
  end: () => {
    tone(0.3, 262, 0.15, 0.3)
    tone(0.45, 330, 0.15, 0.3)
    tone(0.6, 392, 0.17, 0.6)
  },
  low: () => knock(0, 700, 0.18, 0.05),
}
