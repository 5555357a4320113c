package terminal

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/apdu"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// contact is a chip within reach.
type contact struct {
	*Reader
	link     Link
	channel  *apdu.Channel // nil where answers come in the clear
	selected lds.File      // the current file
	first    []byte        // first answer of the present channel, as received
}

// send sends commands, protected where there is a channel, and returns the answers up to the first that says anything but that the
// command was carried out. Of many commands only a batch is sent: the rest is for the next call. Refusals: AnswerWrong, those of the Link.
func (c *contact) send(ctx context.Context, file lds.File, commands ...apdu.Command) ([]apdu.Answer, error) {
	commands = commands[:min(len(commands), MostCommands)]
	b := Batch{File: file}
	b.Read, b.Of = c.progress()
	var sealed []apdu.Sealed
	if c.channel != nil {
		sealed = c.channel.Seal(commands)
		for _, s := range sealed {
			b.Commands = append(b.Commands, s.Bytes)
		}
	} else {
		for _, cmd := range commands {
			b.Commands = append(b.Commands, cmd.Bytes())
		}
	}
	raw, err := c.link.Exchange(ctx, b)
	if err != nil {
		return nil, err
	}
	if len(raw) == 0 || len(raw) > len(commands) {
		return nil, refusal.New(AnswerWrong, "%d answers to %d commands", len(raw), len(commands))
	}
	var out []apdu.Answer
	for i, r := range raw {
		plain, err := apdu.ParseAnswer(r)
		a := plain
		if err == nil && c.channel != nil {
			a, err = c.channel.Open(sealed[i], r)
		}
		if err != nil {
			return out, broken(err)
		}
		if c.first == nil && c.channel != nil {
			c.first = r
		}
		out = append(out, a)
		// All but the last one say that the command was carried out; the last one of fewer answers than commands does not.
		ended := i == len(raw)-1
		if plain.Status != a.Status || !ended && !a.Status.Done() || ended && len(raw) < len(commands) && a.Status.Done() {
			return out, refusal.New(AnswerWrong, "answers that do not end where the chip's status says")
		}
	}
	return out, nil
}

// broken is the refusal of an answer that cannot be read.
func broken(err error) error {
	if why := refusal.Of(err); why != nil {
		return refusal.New(AnswerWrong, "%s", why.Says)
	}
	return err
}

// Commands of ISO/IEC 7816-4 and ICAO 9303-10.
func selectMaster() apdu.Command {
	return apdu.Command{Instruction: 0xA4, P1: 0, P2: 0x0C, Data: []byte{0x3F, 0x00}}
}

func selectDocument() apdu.Command {
	return apdu.Command{Instruction: 0xA4, P1: 4, P2: 0x0C, Data: []byte{0xA0, 0, 0, 2, 0x47, 0x10, 1}}
}

func selectFile(id uint16) apdu.Command {
	return apdu.Command{Instruction: 0xA4, P1: 2, P2: 0x0C, Data: []byte{byte(id >> 8), byte(id)}}
}

// maxShortOffset is the last offset that fits into two bytes of READ BINARY's even instruction.
const maxShortOffset = 0x7FFF

// wrapping is the tag and the length of data that the odd instruction of READ BINARY returns.
const wrapping = 4

// read reads from an offset of the current file. Beyond maxShortOffset the odd instruction takes it as data, and wraps the answer.
func read(offset, n int) apdu.Command {
	if offset <= maxShortOffset {
		return apdu.Command{Instruction: 0xB0, P1: byte(offset >> 8), P2: byte(offset), Le: n}
	}
	at := []byte{byte(offset >> 16), byte(offset >> 8), byte(offset)}
	return apdu.Command{Instruction: 0xB1, Data: tlv.Encode(0x54, at), Le: n + wrapping}
}

// readData returns what an answer to read holds.
func readData(offset int, a apdu.Answer) ([]byte, error) {
	if offset <= maxShortOffset || len(a.Data) == 0 {
		return a.Data, nil
	}
	e, err := tlv.Parse(a.Data)
	if err != nil || e.Tag != 0x53 {
		return nil, refusal.New(AnswerWrong, "data of a long file that is not wrapped")
	}
	return e.Content, nil
}
