package demo

import (
	"fmt"
	"strings"
)

// dashboard is what the admin dashboard shows.
type dashboard struct {
	Query, Status string
	Statuses      []string
	Cards         []card
	Orders        []order
	Members       []member
	Roles         []string
	Events        []string
	Regions       []string
}

type card struct {
	Label, Value, Change string
	Up                   bool
}

type order struct {
	Number   int
	Customer string
	Product  string
	Status   string
	Total    string
	Date     string
}

type member struct {
	Name, Role, Email string
	Active            bool
}

var (
	people = []string{
		"Ada Lovelace", "Grace Hopper", "Alan Turing", "Katherine Johnson", "Edsger Dijkstra",
		"Barbara Liskov", "Donald Knuth", "Radia Perlman", "Ken Thompson", "Frances Allen",
		"Niklaus Wirth", "Margaret Hamilton", "John Backus", "Karen Jones",
	}
	products = []string{
		"Standing desk", "Desk lamp", "Office chair", "Monitor arm", "Notebook, ruled",
		"Mechanical keyboard", "Cable tray", "Whiteboard", "Footrest",
	}
	statuses = []string{"Paid", "Pending", "Shipped", "Refunded"}
	remarks  = []string{
		"the build is green again.",
		"does anyone have the slides from Tuesday?",
		"we moved the stand-up to half past nine.",
		"the new office has a view of the river.",
		"thanks to everyone who came to the workshop!",
		"please review the draft before Friday.",
		"coffee machine on the second floor is back.",
	}
)

const orderRows = 24

// newDashboard filters the orders as the form above the table asks.
func newDashboard(query, status string) dashboard {
	d := dashboard{
		Query: query, Status: status, Statuses: statuses,
		Cards: []card{
			{"Revenue", "€ 48,290", "12.4 % more than last month", true},
			{"Orders", "1,204", "3.1 % more than last month", true},
			{"New customers", "318", "1.8 % fewer than last month", false},
			{"Refunds", "€ 1,106", "0.4 % fewer than last month", true},
			{"Conversion", "3.6 %", "unchanged", true},
			{"Open tickets", "27", "5 more than yesterday", false},
		},
		Roles: []string{"Owner", "Editor", "Viewer"},
		Events: []string{
			"Ada Lovelace changed the price of Desk lamp",
			"Order 10017 was refunded",
			"Grace Hopper invited Alan Turing",
			"The nightly export finished in 4 minutes",
			"Stock of Monitor arm is below 10",
		},
		Regions: []string{"Europe", "North America", "Asia", "Africa", "Oceania"},
	}
	for i := range orderRows {
		o := order{
			Number:   10001 + i,
			Customer: people[i%len(people)],
			Product:  products[(i*5)%len(products)],
			Status:   statuses[(i*7/3)%len(statuses)],
			Total:    fmt.Sprintf("€ %d.%02d", 24+(i*137)%900, (i*31)%100),
			Date:     fmt.Sprintf("%d Nov 2026", 1+i/2),
		}
		if status != "" && o.Status != status {
			continue
		}
		if !strings.Contains(strings.ToLower(o.Customer+" "+o.Product), strings.ToLower(query)) {
			continue
		}
		d.Orders = append(d.Orders, o)
	}
	for i, name := range people[:8] {
		first, _, _ := strings.Cut(strings.ToLower(name), " ")
		d.Members = append(d.Members, member{
			Name: name, Email: first + "@example.com", Active: i%3 != 2,
			Role: d.Roles[i%len(d.Roles)],
		})
	}
	return d
}
