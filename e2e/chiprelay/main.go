// Command chiprelay is the phone of a relay, in Go: it carries commands from a server to a chip and answers back, and knows nothing of
// either. The chip is in a reader that speaks the protocol of vpcd; an app has IsoDep or NFCISO7816Tag there.
//
//	chiprelay --server https://id.example.org --reader 127.0.0.1:35963 --can 123456
//
// It reads the applicant's token from BONAFIDE_TOKEN. Without a key the server takes the zone that it read from the page.
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/bonafide-id/bonafide/internal/vpcd"
)

func main() {
	server, reader := flag.String("server", "", "address of the server"), flag.String("reader", "", "address of the reader")
	can := flag.String("can", "", "card access number; the zone on the page where there is none")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := run(ctx, *server, os.Getenv("BONAFIDE_TOKEN"), *reader, *can); err != nil {
		fmt.Fprintln(os.Stderr, "chiprelay:", err)
		os.Exit(1)
	}
}

// heard is a message of the server.
type heard struct {
	Type     string   `json:"type"` // ready, commands, stopped, failed or done
	ID       int      `json:"id"`
	Commands []string `json:"commands"`
	Reading  string   `json:"reading"`
	Read     int      `json:"read"`
	Of       int      `json:"of"`
	Next     string   `json:"next"` // again, key or ends
	Problem  struct {
		Code, Title, Remedy string
	} `json:"problem"`
}

type message map[string]any

// chip is a reader with a chip in it.
type chip interface {
	PowerOn() ([]byte, error)
	Transmit(command []byte) ([]byte, error)
}

// phone is one connection.
type phone struct {
	conn *websocket.Conn
	chip chip
}

func run(ctx context.Context, server, token, address, can string) error {
	card, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	reader := vpcd.NewReader(card, 10*time.Second)
	defer func() { _ = reader.Close() }()
	conn, _, err := websocket.Dial( //nolint:bodyclose // of a connection that switched protocols there is none
		ctx, "ws"+strings.TrimPrefix(server, "http")+"/v1/applicant/chip/relay", &websocket.DialOptions{
			HTTPHeader: http.Header{"Authorization": {"Bearer " + token}},
		})
	if err != nil {
		return err
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(1 << 20)
	if _, err := reader.PowerOn(); err != nil {
		return err
	}
	return phone{conn, reader}.talk(ctx, can)
}

func (p phone) talk(ctx context.Context, can string) error {
	for {
		m, err := p.hear(ctx)
		if err != nil {
			return err
		}
		var answer message
		switch m.Type {
		case "ready":
			answer = message{"type": "start", "longest_answer": 65536}
			if can != "" {
				answer["key"] = message{"can": can}
			}
		case "commands":
			if m.Of > 0 {
				fmt.Printf("%s: %d of %d bytes\n", m.Reading, m.Read, m.Of)
			}
			answer = p.carry(m)
		case "stopped":
			fmt.Println(m.Problem.Title, m.Problem.Remedy)
			if m.Next != "again" {
				return errors.New(m.Problem.Code)
			}
			if _, err := p.chip.PowerOn(); err != nil { // an app waits for the next tag here
				return err
			}
			answer = message{"type": "again"}
		case "failed":
			return errors.New(m.Problem.Code)
		case "done":
			fmt.Println("The chip was read.")
			return p.conn.Close(websocket.StatusNormalClosure, "")
		}
		if err := p.say(ctx, answer); err != nil {
			return err
		}
	}
}

// carry sends commands to the chip until one is answered by another status than 9000 or 6282.
func (p phone) carry(m heard) message {
	answers := []string{}
	for _, cmd := range m.Commands {
		raw, err := hex.DecodeString(cmd)
		if err != nil {
			return message{"type": "lost", "id": m.ID}
		}
		a, err := p.chip.Transmit(raw)
		if err != nil {
			return message{"type": "lost", "id": m.ID}
		}
		answers = append(answers, hex.EncodeToString(a))
		if s := answers[len(answers)-1]; !strings.HasSuffix(s, "9000") && !strings.HasSuffix(s, "6282") {
			break
		}
	}
	return message{"type": "answers", "id": m.ID, "answers": answers}
}

func (p phone) hear(ctx context.Context) (m heard, err error) {
	_, raw, err := p.conn.Read(ctx)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(raw, &m)
}

func (p phone) say(ctx context.Context, m message) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return p.conn.Write(ctx, websocket.MessageText, raw)
}
